package dev.loopkeeper.termination;

import dev.loopkeeper.step.OneLine;
import java.time.Instant;
import java.util.Optional;

/**
 * The record of an abnormal ending, kept until a resume proves it overcome.
 *
 * @param workUnit the item, or {@code iteration-3}
 * @param taskId as the agent's signal gave it
 * @param qualifier as the agent's signal gave it
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
    /** Characters of a summary; the termination has the full text. */
    public static final int SUMMARY_LIMIT = OneLine.SUMMARY;

    /** Makes one line of the summary and shortens it to its limit. */
    public TerminalExhaustion {
        summary = OneLine.of(summary, SUMMARY_LIMIT);
    }
}
