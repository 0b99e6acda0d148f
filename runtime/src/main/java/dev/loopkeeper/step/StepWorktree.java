package dev.loopkeeper.step;

import dev.loopkeeper.manifest.WorktreeSetup;
import java.util.List;
import java.util.Optional;

/**
 * The worktree of a step.
 *
 * @param repository absolute path of the top level of the user's checkout
 * @param prefix of the workspace in it, e.g. {@code services/api}; empty for the top level itself
 * @param folder of the worktree below the run's, e.g. {@code worktree} or {@code worktrees/frames.f1.2-57}
 * @param branch that it has checked out
 * @param hooks whether the repository's own hooks run
 * @param copy paths relative to the workspace, ignored by git, that Loopkeeper copies into it
 * @param setup run in it before its first step
 */
public record StepWorktree(
        String repository,
        String prefix,
        String folder,
        Branch branch,
        boolean hooks,
        List<String> copy,
        Optional<WorktreeSetup> setup) {
    /**
     * The branch of a worktree.
     *
     * @param branch its name, without {@code refs/heads/}
     * @param base full hash of the commit that it begins from
     * @param head full hash of its newest commit that is recorded
     */
    public record Branch(String branch, String base, String head) {}

    /** Returns a copy with this branch head. */
    public StepWorktree headedAt(String commit) {
        return new StepWorktree(
                repository, prefix, folder, new Branch(branch.branch(), branch.base(), commit), hooks, copy, setup);
    }
}
