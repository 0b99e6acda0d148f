package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Question: what would be lost if an ended run were removed. Answered by {@link UnsavedWork}; nothing is changed.
 *
 * @param workspace a folder in the run's repository
 * @param base the commit that the run began from
 */
public record FindUnsavedWork(String runId, Path workspace, String base) {}
