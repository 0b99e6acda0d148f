package dev.loopkeeper.contract.worktree;

/**
 * Command: end the gits that prepare this worktree now, and let nothing begin that waits for its turn to do so. The command
 * that asked for it fails with {@link WorktreeException.Problem#PREPARATION_ENDED}; what comes later is not concerned.
 */
public record EndPreparation(WorktreePlace place) {}
