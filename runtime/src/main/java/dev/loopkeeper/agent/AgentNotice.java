package dev.loopkeeper.agent;

/**
 * A fact in an agent's output that does not change the result of its step.
 *
 * @param code of the notice, e.g. {@code permission-denied}
 */
public record AgentNotice(String code, String message) {}
