package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Command: remove the worktrees of a removed run, with their registration and all refs below
 * {@code refs/loopkeeper/<runId>/}; its branch stays. A missing repository is not a failure.
 */
public record PruneRun(String runId, Path repository) {}
