package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Question, before anything starts: whether a run can have a worktree of the repository in which this workspace lies.
 * Fails when there is no git or too old a one, no repository, no commit, or no such base.
 *
 * @param base any name of a commit, e.g. {@code HEAD} or {@code main}
 */
public record CheckWorkspace(Path workspace, String base) {}
