package dev.loopkeeper.run;

import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.SignalVerdict;
import java.time.Instant;
import java.util.Optional;

/**
 * How the work goes, as it was last said, e.g. {@code PROGRESS} by {@code build.3.judge.1}.
 *
 * @param stepId of the step that said so, or that failed
 * @param verdict the determination of its signal, e.g. {@code STALLED}, else its verdict, e.g. {@code approved};
 *     {@code FAILED} for a step without a valid result
 * @param concern what it said that a person may have to decide, one line
 * @param at when the step ended
 */
public record LastVerdict(String stepId, String verdict, Optional<String> concern, Instant at) {

    /** Absent for a step that says nothing of the kind. */
    public static Optional<LastVerdict> of(StepSummary note, Instant at) {
        Optional<String> said = note.failed()
                ? Optional.of(Verdict.FAILED.wire())
                : note.determination()
                        .map(Determination::wire)
                        .or(() -> note.verdict().map(SignalVerdict::wire));
        Optional<String> concern =
                note.finding().map(finding -> finding.line("")).filter(line -> !line.isBlank());
        return said.map(word -> new LastVerdict(note.stepId(), word, concern, at));
    }
}
