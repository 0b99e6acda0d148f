package dev.loopkeeper.run;

import java.time.Instant;

/** {@code run.waiting}: nothing runs until a retry is due. */
public record RunWaiting(Instant resumeAt, String message) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state.with(new Condition.Waiting(resumeAt));
    }
}
