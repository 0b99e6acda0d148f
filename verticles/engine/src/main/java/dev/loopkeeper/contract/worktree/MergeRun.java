package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Command of a person: merge a run's branch into a branch of theirs. Where their checkout is on it, that must be clean but
 * for files that git does not track; else nothing is changed. Of any other branch only the ref changes.
 *
 * @param checkout its top level
 * @param branch of the run, or a commit's full hash
 * @param squash whether the changes become one commit without the run's history
 * @param into the branch; empty for the one that the checkout is on
 * @param hooks whether the repository's own hooks run
 */
public record MergeRun(
        String runId, Path checkout, String branch, boolean squash, Optional<String> into, boolean hooks) {}
