package dev.loopkeeper.view;

import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The pause of a run that waits for a person, e.g. {@code {"reason": "missing_signals", "detail": "absent", ...}}.
 *
 * @param detail more precise than the reason, e.g. {@code absent}
 * @param stepId the step that caused the pause
 * @param message for people, one line that names the step and its concern
 * @param questions the agent's questions
 * @param keyConcern the agent's main concern
 * @param anomalyType the agent's own name for the anomaly
 * @param gaps the gaps that the agent reports
 * @param errorContext the error of the step
 * @param refusedValue the invalid value of the step's signal, as JSON
 * @param allowedActions the next actions, in the order in which they are offered
 * @param resumeAt when the run resumes automatically, if at all
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
        Optional<Instant> resumeAt) {}
