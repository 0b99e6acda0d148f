package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Question, before anything starts: whether a run can have a worktree of the repository in which this workspace lies.
 * Fails when there is no git or too old a one, no repository, no commit, or no such base.
 *
 * @param workspace absolute; where nothing would begin it may be gone, and a folder above it that is there is taken
 * @param base any name of a commit, e.g. {@code HEAD} or {@code main}
 * @param run what would begin there; absent: only the repository is looked for
 */
public record CheckWorkspace(Path workspace, String base, Optional<NewRun> run) {
    /**
     * What a run would make.
     *
     * @param branches each of which fails unless it can be made: none of them is there, nor in the way of another
     * @param copy paths relative to the workspace; one that is there and not ignored by git fails
     */
    public record NewRun(List<String> branches, List<String> copy) {
        public NewRun {
            branches = List.copyOf(branches);
            copy = List.copyOf(copy);
        }
    }

    /** Where the repository is. */
    public CheckWorkspace(Path workspace, String base) {
        this(workspace, base, Optional.empty());
    }
}
