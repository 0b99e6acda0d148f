package dev.loopkeeper.rules;

import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.step.Sha256;
import dev.loopkeeper.verdict.Signal;
import java.util.List;
import java.util.Optional;

/** Creates short texts that are equal for steps, and iterations, with the same result. */
final class Fingerprints {
    private static final int LENGTH = 32;

    private Fingerprints() {}

    static String of(Optional<Signal> signal, StepOutcome outcome) {
        String said = signal.map(Signal::normalised).orElse("");
        return hash(said
                + '\n'
                + outcome.digests().outputDigest()
                + '\n'
                + outcome.digests().workspaceDigest());
    }

    static String of(Verdict verdict, List<StepSummary> notes) {
        StringBuilder all = new StringBuilder(verdict.wire());
        notes.forEach(note -> all.append('\n')
                .append(note.agent())
                .append(' ')
                .append(note.loop().fingerprint()));
        return hash(all.toString());
    }

    private static String hash(String text) {
        return Sha256.hex(text).substring(0, LENGTH);
    }
}
