package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Command: the run is removed. Its worktrees go, with their registration and everything below
 * {@code refs/loopkeeper/<runId>/}; its branch stays. A repository that is gone is no failure.
 */
public record PruneRun(String runId, Path repository) {}
