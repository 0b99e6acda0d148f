package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.step.ErrorContext;
import java.time.Instant;

/**
 * {@code step.retrying}: a step is launched again at {@code dueAt}, after an error that passes by itself.
 *
 * @param agent which is tried then
 */
@JsonTypeName("step.retrying")
public record StepRetrying(String stepId, String agent, int tries, Instant dueAt, ErrorContext error, Retry retry)
        implements RunEvent {
    public static StepRetrying of(String stepId, Retry retry) {
        return new StepRetrying(stepId, retry.agent(), retry.tries(), retry.dueAt(), retry.error(), retry);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        return state.withRetries(Copies.plus(state.retries(), retry.slot().key(), retry));
    }

    @Override
    public String text() {
        return "step " + stepId + " is tried again with " + agent + " at " + dueAt + ": " + error.message();
    }
}
