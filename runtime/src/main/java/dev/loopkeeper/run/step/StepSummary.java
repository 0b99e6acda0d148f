package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.SignalVerdict;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * Summarises an ended step for its iteration or attempt.
 *
 * @param loop what the rules of a loop need of it
 * @param finding its finding for a person; absent when there is none
 * @param outcome outcome of the item's attempt, task or gate if this step is the last one
 * @param failure reason for a retry; absent when the step gives none
 */
@RecordBuilder
public record StepSummary(
        String stepId,
        String agent,
        @JsonUnwrapped Rating rating,
        @JsonUnwrapped ForLoop loop,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Finding> finding,
        UnitOutcome outcome,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Failure> failure)
        implements StepSummaryBuilder.With {
    /**
     * The rating of the work.
     *
     * @param determination from the step's signal
     * @param verdict from its signal
     * @param failed whether the step has no valid result
     */
    public record Rating(Optional<Determination> determination, Optional<SignalVerdict> verdict, boolean failed) {
        /** Whether the signal contains one. */
        public boolean given() {
            return determination.isPresent() || verdict.isPresent();
        }

        /** The determination of the signal, else its verdict. */
        public Optional<String> word() {
            return determination.map(Determination::wire).or(() -> verdict.map(SignalVerdict::wire));
        }

        /** The outcome of a step with this rating. */
        public UnitOutcome outcome() {
            Optional<Verdict> judged = verdict.filter(said -> said != SignalVerdict.APPROVED)
                    .map(Verdict::of)
                    .or(() -> determination.map(Verdict::of));
            return failed ? UnitOutcome.FAILED : judged.map(Verdict::outcome).orElse(UnitOutcome.APPROVED);
        }

        /** What the signal says of the iteration; a determination is more precise than a verdict. */
        public Optional<Verdict> judgement() {
            return determination.map(Verdict::of).or(() -> verdict.map(Verdict::of));
        }
    }

    /**
     * What the rules of a loop need of a step.
     *
     * @param matched whether it printed the text, or the loop's check exited with 0
     * @param optsOut whether its signal says that requested steps are unnecessary
     * @param discontinues whether its signal forbids requested steps
     * @param fingerprint of its result, without times and numbers
     * @param workspace digest of the workspace; absent when not taken
     */
    public record ForLoop(
            boolean matched,
            boolean optsOut,
            boolean discontinues,
            String fingerprint,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> workspace) {}

    /** Whether it has no valid result. */
    public boolean failed() {
        return rating.failed();
    }
}
