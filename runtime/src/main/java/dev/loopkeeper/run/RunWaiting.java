package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;

/**
 * {@code run.waiting}: nothing runs until a retry is due.
 *
 * @param activeMs how long the run was under way until then
 */
@JsonTypeName("run.waiting")
public record RunWaiting(Instant resumeAt, String message, long activeMs) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state.with(new Condition.Waiting(resumeAt));
    }

    @Override
    public String text() {
        return "waiting until " + resumeAt + ": " + message;
    }
}
