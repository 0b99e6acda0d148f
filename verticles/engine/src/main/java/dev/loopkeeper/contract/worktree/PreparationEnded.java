package dev.loopkeeper.contract.worktree;

/**
 * Answer to {@link EndPreparation}.
 *
 * @param ended how many gits there were, and preparations that waited for their turn
 */
public record PreparationEnded(int ended) {}
