package dev.loopkeeper.contract.worktree;

/**
 * Answer to {@link EndHooks}.
 *
 * @param gits how many there were, mostly none
 */
public record HooksEnded(int gits) {}
