package dev.loopkeeper.contract.worktree;

/**
 * Command: remove a worktree that is no longer needed, unless it is to be kept or its removal would lose work, which
 * the answer describes.
 *
 * @param keep as in the manifest
 * @param archive whether to remove its branch too, as that of an item: its commits stay reachable as
 *     {@code refs/loopkeeper/<runId>/branches/<branch>}, with uncommitted changes in another commit
 */
public record FinishWorktree(WorktreePlace place, boolean keep, boolean archive) {}
