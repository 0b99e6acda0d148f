package dev.loopkeeper.agent;

import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.Usage;
import java.util.Optional;

/**
 * The result of a step: its final record outranks its exit code.
 *
 * @param summary without a session
 * @param finalRecord whether the agent itself reported its result; always false for text
 * @param sessionId id with which the agent can continue the session
 * @param sessionTotals reported totals of the session, which may have begun in an earlier launch
 * @param worked whether the agent began to work, according to its output
 */
public record AgentReport(
        StepReport summary, boolean finalRecord, Optional<String> sessionId, Usage sessionTotals, boolean worked) {}
