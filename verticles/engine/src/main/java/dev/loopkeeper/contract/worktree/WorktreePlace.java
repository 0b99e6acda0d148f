package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * A worktree of a run.
 *
 * @param repository top level of the person's checkout, see {@link CheckedWorkspace#repository()}
 * @param folder relative to the run's folder: {@code worktree} for the run, e.g. {@code worktrees/f1.2} for an item's
 *     second attempt
 * @param branch without {@code refs/heads/}; an item's branch must not be below the run's (git permits no {@code a/b}
 *     beside a branch {@code a}), e.g. {@code loopkeeper/items/<runId>/f1.2}
 */
public record WorktreePlace(String runId, Path repository, String folder, String branch) {}
