package dev.loopkeeper.step;

/**
 * The session that a step ran in, as launched and as its output reported.
 *
 * @param host the node or machine that it ran on
 * @param totals totals of the session as the agent reported them
 * @param worked whether the agent began to work in it
 */
public record ReportedSession(StepSession session, String host, Usage totals, boolean worked) {}
