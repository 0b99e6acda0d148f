package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;

/**
 * A validated signal file of a step. {@code docs/signal-files.md} explains the fields; at least one of status,
 * determination, verdict, readiness and terminal is present.
 *
 * @param raw the original object
 */
public record Signal(
        Optional<SignalStatus> status,
        Optional<Determination> determination,
        Optional<SignalVerdict> verdict,
        Optional<Boolean> shouldContinue,
        boolean userInputNeeded,
        List<String> questions,
        Optional<String> keyConcern,
        Optional<String> anomalyType,
        Optional<Boolean> reflectionNeeded,
        boolean recommendStop,
        Optional<String> iterationHealth,
        Optional<String> milestoneNote,
        Optional<ResumeAction> recommendedAction,
        Optional<Readiness> readiness,
        List<String> gaps,
        Optional<JsonNode> deliverable,
        Optional<Usage> usage,
        Optional<ErrorContext> error,
        Optional<TerminalSignal> terminal,
        JsonNode raw) {
    /** The fields that decide what follows, without sentences. */
    public List<Object> deciding() {
        return List.of(
                status,
                determination,
                verdict,
                shouldContinue,
                userInputNeeded,
                reflectionNeeded,
                recommendStop,
                iterationHealth,
                recommendedAction,
                readiness);
    }

    public boolean says(SignalStatus given) {
        return status.equals(Optional.of(given));
    }

    public boolean says(Determination given) {
        return determination.equals(Optional.of(given));
    }

    public boolean says(SignalVerdict given) {
        return verdict.equals(Optional.of(given));
    }

    public boolean says(Readiness given) {
        return readiness.equals(Optional.of(given));
    }
}
