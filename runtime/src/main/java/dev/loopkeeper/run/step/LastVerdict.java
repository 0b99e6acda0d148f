package dev.loopkeeper.run.step;

import java.time.Instant;
import java.util.Optional;

/**
 * The last rating of the work, e.g. {@code PROGRESS} by {@code build.3.judge.1}.
 *
 * @param stepId the step that gave the rating or failed
 * @param verdict the determination of its signal, e.g. {@code STALLED}, else its verdict, e.g. {@code approved}; {@code
 * FAILED} for a step without a valid result, until a later step succeeds
 * @param concern its concern or question for a person, one line
 * @param at when the step ended
 */
public record LastVerdict(String stepId, String verdict, Optional<String> concern, Instant at) {
    /** Empty for a step without a rating. */
    public static Optional<LastVerdict> of(StepSummary note, Instant at) {
        Optional<String> said = note.failed()
                ? Optional.of(Verdict.FAILED.wire())
                : note.rating().word();
        return said.map(
                word -> new LastVerdict(note.stepId(), word, note.finding().flatMap(Finding::concern), at));
    }
}
