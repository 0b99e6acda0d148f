package dev.loopkeeper.contract.worktree;

/**
 * Answer to {@link EndPreparation}.
 *
 * @param gits how many there were; none while it waits for its turn
 */
public record PreparationEnded(int gits) {}
