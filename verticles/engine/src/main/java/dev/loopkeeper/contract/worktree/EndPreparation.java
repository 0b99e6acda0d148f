package dev.loopkeeper.contract.worktree;

/**
 * Command: end the gits that prepare this worktree now. The command that had begun them fails with
 * {@link WorktreeException.Problem#PREPARATION_ENDED}; what comes later is not concerned.
 */
public record EndPreparation(WorktreePlace place) {}
