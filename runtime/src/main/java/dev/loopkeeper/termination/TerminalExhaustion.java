package dev.loopkeeper.termination;

import java.time.Instant;
import java.util.Optional;

/**
 * The record of an abnormal ending, kept until a resume proves it overcome.
 *
 * @param workUnit the item, or {@code iteration-3}
 * @param taskId as the agent's signal gave it
 * @param qualifier as the agent's signal gave it
 * @param summary at most {@value #SUMMARY_LIMIT} characters
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
    public static final int SUMMARY_LIMIT = 240;

    /** Shortens the summary to its limit. */
    public TerminalExhaustion {
        if (summary.length() > SUMMARY_LIMIT) {
            summary = summary.substring(0, SUMMARY_LIMIT - 1) + "…";
        }
    }
}
