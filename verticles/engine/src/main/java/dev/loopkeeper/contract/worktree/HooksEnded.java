package dev.loopkeeper.contract.worktree;

/**
 * Answer to {@link EndHooks}.
 *
 * @param gits number of git processes, usually none
 */
public record HooksEnded(int gits) {}
