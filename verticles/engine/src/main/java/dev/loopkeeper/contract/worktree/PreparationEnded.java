package dev.loopkeeper.contract.worktree;

/**
 * Answer to {@link EndPreparation}.
 *
 * @param ended number of git processes and waiting preparations
 */
public record PreparationEnded(int ended) {}
