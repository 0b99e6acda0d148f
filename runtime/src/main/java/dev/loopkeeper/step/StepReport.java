package dev.loopkeeper.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * Summarises the agent's own output.
 *
 * @param termination subtype, e.g. {@code stop} or {@code error_max_turns}
 * @param usage as far as known
 * @param deliverable the agent's structured result; present exactly when the termination is {@code submitted}
 * @param error why the step failed, classified; absent when the termination suffices, e.g. at the agent's own turn limit
 * @param resumeAt the reset time that the provider stated
 * @param diagnostic the raw text of an error, at most 2000 characters
 * @param session of the agent; absent when unknown
 * @param lastLines last output on both streams, bounded; absent after a success or without output
 */
@RecordBuilder
public record StepReport(
        String termination,
        Usage usage,
        Optional<JsonNode> deliverable,
        Optional<ErrorContext> error,
        Optional<Instant> resumeAt,
        Optional<String> diagnostic,
        Optional<ReportedSession> session,
        Optional<String> lastLines)
        implements StepReportBuilder.With {
    /** A report of an output that states only how it ended. */
    public static StepReport plain(String termination, Optional<ErrorContext> error) {
        return StepReportBuilder.builder()
                .termination(termination)
                .usage(Usage.UNKNOWN)
                .error(error)
                .build();
    }
}
