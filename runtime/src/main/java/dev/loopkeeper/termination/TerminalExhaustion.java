package dev.loopkeeper.termination;

import dev.loopkeeper.step.OneLine;
import java.time.Instant;
import java.util.Optional;

/**
 * Records an abnormal ending until a successful resume clears it.
 *
 * @param workUnit the item, or {@code iteration-3}
 * @param taskId from the agent's signal
 * @param qualifier from the agent's signal
 * @param summary one line of at most {@value #SUMMARY_LIMIT} characters
 */
public record TerminalExhaustion(
        String reasonCode,
        Optional<String> workUnit,
        Optional<String> phase,
        Optional<String> taskId,
        Optional<String> qualifier,
        String summary,
        Instant timestamp) {
    /** Longest summary in characters; the termination has the complete text. */
    public static final int SUMMARY_LIMIT = OneLine.SUMMARY;

    /** Words and code, e.g. {@code iteration limit reached (convergence-limit)}. */
    public String reason() {
        return StandardReason.ofCode(reasonCode)
                .map(known -> known.words() + " (" + reasonCode + ")")
                .orElse(reasonCode);
    }

    /** The reason and the summary, unless the summary only repeats the words of the reason. */
    public String text() {
        boolean repeated = StandardReason.ofCode(reasonCode)
                .map(StandardReason::words)
                .filter(summary::equals)
                .isPresent();
        return repeated ? reason() : reason() + ": " + summary;
    }

    /** Shortens the summary to one line. */
    public TerminalExhaustion {
        summary = OneLine.of(summary, SUMMARY_LIMIT);
    }
}
