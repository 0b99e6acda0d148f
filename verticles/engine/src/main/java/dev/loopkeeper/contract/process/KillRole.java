package dev.loopkeeper.contract.process;

/**
 * Command: end every live step of one role of a run. Answered by one {@link KillReceipt} for all of them; fails with
 * a text that names the live roles when none has this one.
 *
 * @param role name of the agent, or the id of one step, which alone is ended then
 * @param now skips the grace
 */
public record KillRole(String runId, String role, boolean now) {
    /** Whether it ends this step of its run. */
    public boolean means(String agent, String stepId) {
        return role.equals(agent) || role.equals(stepId);
    }
}
