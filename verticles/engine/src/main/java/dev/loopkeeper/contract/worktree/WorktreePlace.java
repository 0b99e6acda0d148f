package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * One worktree of a run.
 *
 * @param repository the top level of the person's checkout, as {@link CheckedWorkspace#repository()} told it
 * @param folder where it lies in the run's folder, relative and plain: {@code worktree} for the run itself, e.g.
 *     {@code worktrees/f1.2} for an item's second attempt
 * @param branch without {@code refs/heads/}; that of an item must not lie below the run's (git keeps no {@code a/b}
 *     beside a branch {@code a}), e.g. {@code loopkeeper/items/<runId>/f1.2}
 */
public record WorktreePlace(String runId, Path repository, String folder, String branch) {}
