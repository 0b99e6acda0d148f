package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;

/**
 * {@code run.waiting}: the run waits for a retry.
 *
 * @param activeMs active time of the run until then
 */
@JsonTypeName("run.waiting")
public record RunWaiting(Instant resumeAt, String message, long activeMs) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state.withCondition(new Condition.Waiting(resumeAt));
    }

    @Override
    public String text() {
        return "waiting until " + resumeAt + ": " + message;
    }
}
