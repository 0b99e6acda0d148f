package dev.loopkeeper.contract.worktree;

/**
 * Command: end the git processes that prepare this worktree, and cancel a waiting preparation. Its command fails with
 * {@link WorktreeException.Problem#PREPARATION_ENDED}; later commands are not affected.
 */
public record EndPreparation(WorktreePlace place) {}
