package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Command of a person: merge a run's branch into the branch that their checkout is on. Fails, and changes nothing, unless
 * the checkout is clean but for files that git does not track, and on a branch.
 *
 * @param checkout its top level
 * @param branch of the run, or a commit's full hash
 * @param squash whether the changes become one commit without the run's history
 * @param into the branch that must be checked out; empty for any
 * @param hooks whether the repository's own hooks run
 */
public record MergeRun(
        String runId, Path checkout, String branch, boolean squash, Optional<String> into, boolean hooks) {}
