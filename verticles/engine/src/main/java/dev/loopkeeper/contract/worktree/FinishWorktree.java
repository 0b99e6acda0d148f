package dev.loopkeeper.contract.worktree;

/**
 * Command: this worktree is not needed any more. It is removed, unless it is to be kept or holds changes that are not
 * committed; a kept one goes all the same when the run completed and it is clean.
 *
 * @param keep what the manifest says
 * @param completed whether the run completed
 * @param archive whether its branch goes too, as that of an item: its commits stay reachable as
 *     {@code refs/loopkeeper/<runId>/branches/<branch>}, with those changes that are not committed in one more commit
 */
public record FinishWorktree(WorktreePlace place, boolean keep, boolean completed, boolean archive) {}
