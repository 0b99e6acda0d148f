package dev.loopkeeper.contract.process;

/**
 * Command: end every live step of one role of a run. Answered by one {@link KillReceipt} for all of them; fails with
 * a text that names the live roles when none has this one.
 *
 * @param role name of the agent
 * @param now skips the grace
 */
public record KillRole(String runId, String role, boolean now) {}
