package dev.loopkeeper.contract.worktree;

import java.util.List;

/**
 * Answer: work that exists only in the worktrees of a run.
 *
 * @param findings one line each, with the path and how to save the work; empty if nothing would be lost
 */
public record UnsavedWork(List<String> findings) {}
