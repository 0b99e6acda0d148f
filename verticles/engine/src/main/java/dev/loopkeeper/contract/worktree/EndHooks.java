package dev.loopkeeper.contract.worktree;

/**
 * Command: end the git processes that run hooks for the commit of this step, with their descendants. Their commands
 * fail with {@link WorktreeException.Problem#HOOK_ENDED}; later commands are not affected.
 */
public record EndHooks(String runId, String stepId) {}
