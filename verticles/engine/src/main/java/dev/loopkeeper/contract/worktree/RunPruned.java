package dev.loopkeeper.contract.worktree;

/**
 * Answer: how much was removed.
 *
 * @param worktrees number of worktrees
 * @param refs number of refs
 */
public record RunPruned(int worktrees, int refs) {}
