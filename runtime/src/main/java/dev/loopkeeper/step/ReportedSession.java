package dev.loopkeeper.step;

/**
 * The session that a step ran in, as it was launched and as its output told.
 *
 * @param place the node or machine that it ran on
 * @param totals what the agent told as totals of the whole session
 * @param worked whether the agent began to work in it
 */
public record ReportedSession(StepSession session, String place, Usage totals, boolean worked) {}
