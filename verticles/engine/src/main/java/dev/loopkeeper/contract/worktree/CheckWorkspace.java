package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Request, before a run starts: whether it can have a worktree of the workspace's repository. Fails without git or with
 * an old one, without a repository or a commit, or for an unknown base.
 *
 * @param workspace absolute; without {@code run} it may be missing, and its nearest existing parent is used
 * @param base any name of a commit, e.g. {@code HEAD} or {@code main}
 * @param run what the run would create; absent: only find the repository
 */
public record CheckWorkspace(Path workspace, String base, Optional<NewRun> run) {
    /**
     * What a run would create.
     *
     * @param branches must not exist, nor collide with existing branches
     * @param copy paths relative to the workspace; each existing one must be ignored by git
     */
    public record NewRun(List<String> branches, List<String> copy) {
        public NewRun {
            branches = List.copyOf(branches);
            copy = List.copyOf(copy);
        }
    }

    /** Only finds the repository. */
    public CheckWorkspace(Path workspace, String base) {
        this(workspace, base, Optional.empty());
    }
}
