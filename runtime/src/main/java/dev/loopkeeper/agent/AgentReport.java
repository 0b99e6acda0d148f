package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.Optional;

/**
 * The result of a step: its final record outranks its exit code.
 *
 * @param termination a termination subtype, e.g. {@code stop} or {@code error_max_turns}
 * @param finalRecord whether the agent itself reported its result; always false for text
 * @param usage as far as known
 * @param deliverable the agent's structured result; present exactly when the termination is {@code submitted}
 * @param error absent on success and when the termination suffices, e.g. at the agent's own turn limit
 * @param sessionId id with which the agent can continue the session
 * @param errorDiagnostic the raw text of an error, at most 2000 characters
 * @param resumeAt reset time that the provider stated, if any
 * @param lastLines last output on both streams, bounded; absent after a success or without output
 * @param sessionTotals reported totals of the session, which may have begun in an earlier launch
 * @param worked whether the agent began to work, according to its output
 */
public record AgentReport(
        String termination,
        boolean finalRecord,
        Usage usage,
        Optional<JsonNode> deliverable,
        Optional<ErrorContext> error,
        Optional<String> sessionId,
        Optional<String> errorDiagnostic,
        Optional<Instant> resumeAt,
        Optional<String> lastLines,
        Usage sessionTotals,
        boolean worked) {

    /** Whether the agent finished; the signal rates its work. */
    public boolean succeeded() {
        return Subtypes.isSuccess(termination);
    }
}
