package dev.loopkeeper.contract.worktree;

/**
 * Command: this worktree is not needed any more. It is removed, unless it is to be kept or something in it would be lost,
 * which the answer names.
 *
 * @param keep what the manifest says
 * @param archive whether its branch goes too, as that of an item: its commits stay reachable as
 *     {@code refs/loopkeeper/<runId>/branches/<branch>}, with those changes that are not committed in one more commit
 */
public record FinishWorktree(WorktreePlace place, boolean keep, boolean archive) {}
