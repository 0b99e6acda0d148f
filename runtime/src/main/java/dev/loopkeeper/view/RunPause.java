package dev.loopkeeper.view;

import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Nothing runs until a person acts, e.g. {@code {"reason": "missing_signals", "detail": "absent", ...}}.
 *
 * @param detail finer than the reason, e.g. {@code absent}
 * @param stepId the step that led here
 * @param message for people, one line that names the step and what it said
 * @param questions what the agent asks; empty for none
 * @param keyConcern what worries the agent most
 * @param anomalyType the agent's own word for it
 * @param gaps what the agent misses; empty for nothing
 * @param errorContext why the step ended early
 * @param refusedValue for what the step's signal was refused, as JSON
 * @param allowedActions the next actions, in the order in which they are offered
 * @param resumeAt when it resumes automatically all the same
 */
public record RunPause(
        PauseReason reason,
        Optional<String> detail,
        Optional<String> stepId,
        String message,
        List<String> questions,
        Optional<String> keyConcern,
        Optional<String> anomalyType,
        List<String> gaps,
        Optional<ErrorContext> errorContext,
        Optional<String> refusedValue,
        List<ResumeAction> allowedActions,
        Instant since,
        Optional<Instant> resumeAt) {

    /** A record without a message has an empty one. */
    public RunPause {
        message = message == null ? "" : message;
    }
}
