package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Answer: the worktree exists.
 *
 * @param worktree its top level
 * @param workspace where agents work in it
 * @param head commit of its branch, full hash
 * @param made whether it was created
 */
public record PreparedWorktree(Path worktree, Path workspace, String head, boolean made) {}
