package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.RetryReason;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import java.time.Instant;

/**
 * {@code step.retrying}: a step is launched again automatically at {@code dueAt}.
 *
 * @param agent the agent to launch
 * @param reason see {@link RetryReason}
 */
@JsonTypeName("step.retrying")
public record StepRetrying(
        String stepId, String agent, int tries, Instant dueAt, RetryReason reason, ErrorContext error, Retry retry)
        implements RunEvent {
    public static StepRetrying of(String stepId, Retry retry) {
        return new StepRetrying(
                stepId, retry.agent(), retry.tries(), retry.dueAt(), retry.reason(), retry.error(), retry);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        RunState due =
                state.withRetries(Copies.plus(state.retries(), retry.position().key(), retry));
        // Jitter at most doubles the longest back-off of the ladder itself.
        Instant backedOff = at.plus(state.manifest().retry().backoff().max().multipliedBy(2));
        boolean waits = dueAt.isAfter(at) && (error.is(ErrorKind.USAGE_WINDOW) || dueAt.isAfter(backedOff));
        if (waits) {
            due = due.withAutomaticResumes(Copies.counted(state.automaticResumes(), RunState.WHOLE_RUN));
        }
        return reason == RetryReason.OVERFLOW && retry.fallback() == 0
                ? due.withOverflows(due.overflowed(retry.position().phase(), agent))
                : due;
    }

    @Override
    public String text() {
        String step = "step " + stepId;
        String said = error.message();
        return switch (reason) {
            case ERROR -> step + " is launched again with " + agent + " at " + dueAt + ": " + said;
            case SIGNAL -> step + " is launched again to write its signal, nudge " + retry.nudges() + ": " + said;
            case OVERFLOW ->
                step + " is launched again in a fresh session with " + agent + ", since the context window was full: "
                        + said;
            case SESSION -> step + " is launched again in a fresh session, since its session was not found: " + said;
        };
    }
}
