package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.SignalVerdict;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Summarises an ended step for its iteration or attempt.
 *
 * @param determination from its signal
 * @param verdict from its signal
 * @param failed whether it has no valid result
 * @param matched whether it printed the text, or the loop's check exited with 0
 * @param optsOut whether its signal says that requested steps are unnecessary
 * @param discontinues whether its signal forbids requested steps
 * @param fingerprint of its result, without times and numbers
 * @param finding its finding for a person; absent when there is none
 * @param outcome outcome of the item's attempt, task or gate if this step is the last one
 * @param failure reason for a retry; absent when the step gives none
 */
@RecordBuilder
public record StepSummary(
        String stepId,
        String agent,
        Optional<Determination> determination,
        Optional<SignalVerdict> verdict,
        boolean failed,
        boolean matched,
        boolean optsOut,
        boolean discontinues,
        String fingerprint,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Finding> finding,
        UnitOutcome outcome,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Failure> failure)
        implements StepSummaryBuilder.With {
    /** The determination of its signal, else its verdict. */
    public Optional<String> rating() {
        return determination.map(Determination::wire).or(() -> verdict.map(SignalVerdict::wire));
    }

    /** The outcome of a step with these ratings. */
    public static UnitOutcome outcome(
            Optional<Determination> determination, Optional<SignalVerdict> verdict, boolean failed) {
        if (failed || verdict.filter(SignalVerdict.FAILED::equals).isPresent()) {
            return UnitOutcome.FAILED;
        }
        if (verdict.filter(SignalVerdict.REJECTED::equals).isPresent()) {
            return UnitOutcome.REJECTED;
        }
        return determination.map(StepSummary::outcomeOf).orElse(UnitOutcome.APPROVED);
    }

    private static UnitOutcome outcomeOf(Determination determination) {
        return switch (determination) {
            case SUCCESS, MILESTONE_SUCCESS, PROGRESS -> UnitOutcome.APPROVED;
            case STALLED -> UnitOutcome.REJECTED;
            case ANOMALY -> UnitOutcome.FAILED;
        };
    }
}
