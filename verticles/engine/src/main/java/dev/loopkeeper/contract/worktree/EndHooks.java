package dev.loopkeeper.contract.worktree;

/**
 * Command: end the gits that run hooks for the commit of this step now, with what the hooks have started. The commands that had begun
 * them fail with {@link WorktreeException.Problem#HOOK_ENDED}; what comes later is not concerned.
 */
public record EndHooks(String runId, String stepId) {}
