package dev.loopkeeper.contract.worktree;

import java.util.List;

/**
 * Answer: work of agents that exists only in the worktrees of a run.
 *
 * @param findings one line each, with the path and how to keep the work; empty where nothing would be lost
 */
public record UnsavedWork(List<String> findings) {}
