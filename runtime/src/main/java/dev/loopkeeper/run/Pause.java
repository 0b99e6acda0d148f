package dev.loopkeeper.run;

import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why a run waits for a person, and what may follow.
 *
 * @param detail finer than the reason, e.g. {@code absent}
 * @param message for people, one sentence
 * @param resumeAt when it goes on by itself
 * @param slot place of the step that led here
 * @param accepted what the step comes to if a person goes on without its signal
 */
public record Pause(
        PauseReason reason,
        Optional<String> detail,
        Optional<String> stepId,
        String message,
        List<String> questions,
        List<ResumeAction> allowedActions,
        Instant since,
        Optional<Instant> resumeAt,
        Optional<Slot> slot,
        Optional<StepNote> accepted) {

    static Pause of(PauseReason reason, String message, Instant since) {
        return new Pause(
                reason,
                Optional.empty(),
                Optional.empty(),
                message,
                List.of(),
                reason.allowedActions(),
                since,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    Pause at(OpenStep step) {
        return new Pause(
                reason,
                detail,
                Optional.of(step.stepId()),
                message,
                questions,
                allowedActions,
                since,
                resumeAt,
                Optional.of(step.slot()),
                accepted);
    }

    Pause saying(String other) {
        return new Pause(reason, detail, stepId, other, questions, allowedActions, since, resumeAt, slot, accepted);
    }

    Pause withDetail(String finer) {
        return new Pause(
                reason,
                Optional.of(finer),
                stepId,
                message,
                questions,
                allowedActions,
                since,
                resumeAt,
                slot,
                accepted);
    }

    Pause withQuestions(List<String> asked) {
        return new Pause(reason, detail, stepId, message, asked, allowedActions, since, resumeAt, slot, accepted);
    }

    Pause until(Optional<Instant> due) {
        return new Pause(reason, detail, stepId, message, questions, allowedActions, since, due, slot, accepted);
    }

    Pause accepting(StepNote note) {
        return new Pause(
                reason, detail, stepId, message, questions, allowedActions, since, resumeAt, slot, Optional.of(note));
    }
}
