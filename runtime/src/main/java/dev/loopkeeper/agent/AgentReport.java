package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import java.time.Instant;
import java.util.Optional;

/**
 * What a step came to, by its own record before its exit code.
 *
 * @param termination a subtype of the table of terminations, e.g. {@code stop} or {@code error_max_turns}
 * @param finalRecord whether the agent itself said how it ended; always false for text
 * @param usage as far as known
 * @param deliverable the agent's structured result; present exactly when the termination is {@code submitted}
 * @param error absent on success and where the termination says it all, e.g. at the agent's own turn limit
 * @param sessionId by which the agent itself can continue
 * @param errorDiagnostic the raw words behind an error, at most 2000 characters
 * @param resumeAt when the provider takes requests again, if it said so
 * @param lastLines what it printed last on both streams, bounded; absent where it ended well or printed nothing
 * @param sessionTotals what it reports as totals of its whole session, which may have begun in an earlier launch
 * @param worked whether the agent began to work, as its output says
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

    /** Whether the step did what it set out to do; what the work is worth the signal says. */
    public boolean succeeded() {
        return Subtypes.isSuccess(termination);
    }
}
