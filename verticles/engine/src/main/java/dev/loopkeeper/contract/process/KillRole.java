package dev.loopkeeper.contract.process;

/**
 * Command: end all live steps of a role of a run. Answered by one {@link KillReceipt}; fails with a text that names the
 * live roles if no step has this one.
 *
 * @param role name of the agent, or the id of a single step
 * @param now skips the grace
 */
public record KillRole(String runId, String role, boolean now) {
    /** Returns whether the command applies to this step of the run. */
    public boolean means(String agent, String stepId) {
        return role.equals(agent) || role.equals(stepId);
    }
}
