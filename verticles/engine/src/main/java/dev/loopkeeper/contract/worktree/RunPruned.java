package dev.loopkeeper.contract.worktree;

/**
 * Answer: how much was removed.
 *
 * @param worktrees how many
 * @param refs how many
 */
public record RunPruned(int worktrees, int refs) {}
