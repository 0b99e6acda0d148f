package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;

/**
 * The JSON file that a step leaves behind, validated. Field meanings are those of the signal-file reference in
 * {@code docs/}; at least one of status, determination, verdict, readiness and terminal is present.
 *
 * @param raw the object as it was read
 * @param normalised what of it counts where iterations are compared, as {@link Normaliser#signal} gives it; made with the
 *     signal, since that takes as long as it is large
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
        JsonNode raw,
        String normalised) {}
