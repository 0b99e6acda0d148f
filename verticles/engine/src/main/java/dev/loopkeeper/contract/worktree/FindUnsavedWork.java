package dev.loopkeeper.contract.worktree;

import java.util.Optional;

/**
 * Request: the work that would be lost if an ended run were removed. Answered by {@link UnsavedWork}; changes nothing.
 *
 * @param origin a folder in the run's repository, and the run's first commit; absent if its record has none
 */
public record FindUnsavedWork(String runId, Optional<CheckWorkspace> origin) {}
