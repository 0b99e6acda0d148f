package dev.loopkeeper.step;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * What the agent's own output says of the step.
 *
 * @param termination subtype, e.g. {@code stop} or {@code error_max_turns}
 * @param deliverable what the agent handed in
 * @param error why it ended early, classified
 * @param resumeAt when the provider said it would be back
 * @param diagnostic raw words of the agent that help a person, bounded
 * @param session of the agent; absent where none is known
 * @param lastLines what it printed last on both streams, bounded; absent where it ended well or printed nothing
 */
public record StepReport(
        String termination,
        Usage usage,
        Optional<JsonNode> deliverable,
        Optional<ErrorContext> error,
        Optional<Instant> resumeAt,
        Optional<String> diagnostic,
        Optional<ReportedSession> session,
        Optional<String> lastLines) {
    /** What is missing is absent. */
    public StepReport {
        lastLines = lastLines == null ? Optional.empty() : lastLines;
    }

    /** A report of an output that says nothing but how it ended. */
    public static StepReport plain(String termination, Optional<ErrorContext> error) {
        return new StepReport(
                termination,
                Usage.UNKNOWN,
                Optional.empty(),
                error,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
