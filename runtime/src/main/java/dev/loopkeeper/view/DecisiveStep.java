package dev.loopkeeper.view;

import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.TerminalExhaustion;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the step whose log shows why a run paused or ended. */
public final class DecisiveStep {
    private static final Set<String> UNSUCCESSFUL = Set.of("STALLED", "ANOMALY", "FAILED", "rejected", "failed");
    /** Endings that follow from earlier verdicts, so the run's last step may say nothing of the cause. */
    private static final Set<StandardReason> BY_VERDICTS = EnumSet.of(
            StandardReason.CONVERGENCE_LIMIT,
            StandardReason.NO_PROGRESS,
            StandardReason.STOP_CONDITION,
            StandardReason.CONSECUTIVE_MISTAKES,
            StandardReason.MAX_RETRIES);

    private DecisiveStep() {}

    /** Returns the id of the step; empty if no step was launched. */
    public static Optional<String> of(Run run) {
        Optional<String> byVerdict = run.last()
                .filter(last -> run.needsAttention() && UNSUCCESSFUL.contains(last.verdict()))
                .map(LastVerdict::stepId);
        Optional<String> last = run.position().stepId();
        boolean byVerdicts = run.termination()
                .flatMap(ended -> StandardReason.ofSubtype(ended.subtype()))
                .filter(BY_VERDICTS::contains)
                .isPresent();
        List<String> steps = Stream.of(
                        run.pause().flatMap(Pause::stepId),
                        byVerdicts ? byVerdict : last,
                        byVerdicts ? last : byVerdict)
                .flatMap(Optional::stream)
                .toList();
        String item = run.terminalExhaustion()
                .flatMap(TerminalExhaustion::workUnit)
                .map(unit -> "." + unit + ".")
                .orElse("");
        return steps.stream()
                .filter(step -> step.contains(item))
                .findFirst()
                .or(() -> steps.stream().findFirst());
    }
}
