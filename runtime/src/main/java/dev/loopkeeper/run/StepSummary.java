package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.SignalVerdict;
import java.util.Optional;

/**
 * What an ended step means for the iteration or attempt it belongs to.
 *
 * @param determination as its signal gave it
 * @param verdict as its signal gave it
 * @param failed no valid result
 * @param matched it printed the text, or the check that completes the loop exited with 0
 * @param optsOut whether its signal says that the steps that run when requested are not needed
 * @param discontinues whether its signal says that they must not run
 * @param fingerprint of what it said and did, with times and numbers taken out
 * @param finding what it said that a person needs to decide; absent when it said nothing of the kind
 * @param outcome what the step makes of an item's attempt, a task or a gate, if it is the last one
 * @param failure why a next try is one; absent where the step is no reason for one
 */
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
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Failure> failure) {
    /** What is missing in a record is absent. */
    public StepSummary {
        failure = failure == null ? Optional.empty() : failure;
    }

    StepSummary failing(Optional<Failure> why) {
        return new StepSummary(
                stepId,
                agent,
                determination,
                verdict,
                failed,
                matched,
                optsOut,
                discontinues,
                fingerprint,
                finding,
                outcome,
                why);
    }

    /** What a step comes to that said so. */
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
