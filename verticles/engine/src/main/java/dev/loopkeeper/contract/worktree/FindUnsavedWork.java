package dev.loopkeeper.contract.worktree;

import java.util.Optional;

/**
 * Question: what would be lost if an ended run were removed. Answered by {@link UnsavedWork}; nothing is changed.
 *
 * @param origin a folder in the run's repository, and the commit that the run began from; absent if its record names none
 */
public record FindUnsavedWork(String runId, Optional<CheckWorkspace> origin) {}
