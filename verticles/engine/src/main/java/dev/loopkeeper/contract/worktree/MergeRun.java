package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Command of a person: merge a run's branch into one of the person's branches. If the checkout is on that branch it
 * must be clean except for untracked files, else nothing changes. Of another branch only the ref changes.
 *
 * @param checkout its top level
 * @param branch of the run, or full hash of a commit
 * @param squash whether to make one commit without the run's history
 * @param into the branch; empty for the present one of the checkout
 * @param hooks whether the repository's hooks run
 * @param dryRun whether to report the result without changing a branch or file
 */
public record MergeRun(
        String runId,
        Path checkout,
        String branch,
        boolean squash,
        Optional<String> into,
        boolean hooks,
        boolean dryRun) {
    /** A merge that is made. */
    public MergeRun(String runId, Path checkout, String branch, boolean squash, Optional<String> into, boolean hooks) {
        this(runId, checkout, branch, squash, into, hooks, false);
    }
}
