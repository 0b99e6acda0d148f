package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.OnStalled;
import dev.loopkeeper.manifest.Until;
import dev.loopkeeper.rules.RuleResult.AfterStep;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.NoProgressSnapshot;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.statistics.StopCondition;
import dev.loopkeeper.statistics.StopConditions;
import dev.loopkeeper.statistics.StopReason;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.verdict.NoProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Applies the rules after an iteration, numbered as in {@code docs/deciding.md}: the first that applies decides.
 *
 * @param state the state after the iteration was counted
 */
record IterationRules(RunState state, LoopPhase phase, Iteration iteration, Verdict verdict, Instant at) {
    private LoopWork loop() {
        return (LoopWork) state.cursor().work();
    }

    RuleResult decide() {
        if (complete()) { // 7
            return new RuleResult.Complete("iteration " + iteration.number() + ": " + verdict.wire());
        }
        if (verdict == Verdict.ANOMALY) { // 8
            return pause(PauseReason.ANOMALY, says("reports an anomaly in iteration " + iteration.number()));
        }
        List<EndReason> ends = ends(); // 9, 10, the end of 11, 12
        if (stalledPauses() && ends.stream().allMatch(this::isLimit)) { // 11
            return pause(PauseReason.ANOMALY, stalled());
        }
        if (!ends.isEmpty()) {
            return new RuleResult.End(EndReason.first(ends), StopMode.DRAIN, AfterStep.GO_ON);
        }
        if (phase.pauseEvery() > 0 && loop().done() % phase.pauseEvery() == 0) { // 13
            return pause(
                    PauseReason.CADENCE,
                    Amounts.count(loop().done(), "iteration is", "iterations are") + " done" + lastFindings());
        }
        return new RuleResult.GoOn(); // 14
    }

    private boolean complete() {
        if (verdict == Verdict.SUCCESS) {
            return true;
        }
        boolean exhausted = phase.until() instanceof Until.Iterations && loop().exhausted();
        return verdict != Verdict.FAILED && (exhausted || (iteration.matched() && loop().checkCounts()));
    }

    private List<EndReason> ends() {
        List<EndReason> ends = new ArrayList<>();
        stopConditions(state).stream()
                .map(end -> end.withSummary(end.summary() + lastFindings()).because(error()))
                .forEach(ends::add);
        noProgress().ifPresent(ends::add);
        if (verdict == Verdict.STALLED && phase.onStalled() == OnStalled.STOP) {
            String summary = "iteration " + iteration.number() + " stalled" + lastFindings();
            ends.add(EndReason.of(StandardReason.NO_PROGRESS, summary).askedBy(StopCause.NO_PROGRESS));
        }
        if (loop().exhausted()) {
            String summary = "no success in " + Amounts.count(loop().done(), "iteration") + " of " + phase.name()
                    + lastFindings();
            ends.add(EndReason.of(StandardReason.CONVERGENCE_LIMIT, summary)
                    .askedBy(StopCause.LIMIT)
                    .because(error()));
        }
        return ends;
    }

    /** Every stop condition that applies, as endings, most important first. */
    static List<EndReason> stopConditions(RunState state) {
        return holding(state, condition -> true).toList();
    }

    /** The ending by the circuit breaker, if the launches reached it. */
    static Optional<EndReason> circuitBreaker(RunState state) {
        return holding(state, StopCondition.CIRCUIT_BREAKER::equals).findFirst();
    }

    private static Stream<EndReason> holding(RunState state, Predicate<StopCondition> filter) {
        return StopConditions.holding(
                        state.ledger().statistics(), state.limits().stopConditions())
                .stream()
                .filter(reason -> filter.test(reason.condition()))
                .map(IterationRules::stopCondition);
    }

    private static EndReason stopCondition(StopReason reason) {
        StandardReason ending = switch (reason.condition()) {
            case CONSECUTIVE_FAILS -> StandardReason.CONSECUTIVE_MISTAKES;
            case CIRCUIT_BREAKER, REJECT_RATE, RETRY_RATE -> StandardReason.STOP_CONDITION;
        };
        return EndReason.of(ending, reason.message())
                .askedBy(StopCause.STOP_CONDITION)
                .because(reason);
    }

    private Optional<EndReason> noProgress() {
        List<String> prints =
                loop().recent().stream().map(LoopWork.Fingerprint::text).toList();
        int repeats = LoopRules.noProgress(phase, loop());
        return NoProgress.cycle(prints, repeats).map(cycle -> {
            String summary = cycle == 1
                    ? "the last " + repeats + " iterations produced the same result"
                    : "the last iterations repeat a pattern of " + cycle + " iterations " + repeats + " times";
            List<String> compared = Fingerprints.compared(state, phase);
            return EndReason.of(
                            StandardReason.NO_PROGRESS,
                            summary + " (" + String.join(", ", compared) + ")" + lastFindings())
                    .askedBy(StopCause.NO_PROGRESS)
                    .showing(NoProgressSnapshot.found(loop().recent(), repeats, compared)
                            .orElseThrow())
                    .because(error());
        });
    }

    private boolean stalledPauses() {
        return verdict == Verdict.STALLED && phase.onStalled() == OnStalled.PAUSE;
    }

    private boolean isLimit(EndReason end) {
        return end.subtype().equals(StandardReason.CONVERGENCE_LIMIT.subtype());
    }

    /** The finding of the step that determines the result, after its agent's name. */
    private String says(String otherwise) {
        return iteration
                .speaker()
                .map(note -> note.agent() + ": "
                        + note.finding().orElse(Finding.NOTHING).line(otherwise))
                .orElse("iteration " + iteration.number() + ": " + verdict.wire());
    }

    private String stalled() {
        String plain = "iteration " + iteration.number() + " stalled";
        return iteration
                .speaker()
                .flatMap(StepSummary::finding)
                .map(finding -> iteration.speaker().orElseThrow().agent() + ": " + plain + ": "
                        + finding.line("no further explanation"))
                .orElse(plain);
    }

    /** The last findings as the end of a sentence; empty when there are none. */
    private String lastFindings() {
        return iteration
                .speaker()
                .flatMap(note -> note.finding().map(finding -> "; " + note.agent() + ": " + finding.complete()))
                .orElse("");
    }

    private Optional<ErrorContext> error() {
        return iteration.speaker().flatMap(StepSummary::finding).flatMap(Finding::errorContext);
    }

    private RuleResult pause(PauseReason reason, String message) {
        Pause plain = Pause.of(reason, message, at);
        Pause pause = iteration
                .speaker()
                .map(note -> plain.withFinding(note.stepId(), note.finding().orElse(Finding.NOTHING)))
                .orElse(plain);
        return new RuleResult.PauseFor(pause, AfterStep.GO_ON);
    }
}
