package dev.loopkeeper.contract.worktree;

import java.nio.file.Path;

/**
 * Answer: it is there.
 *
 * @param worktree its top level
 * @param workspace where agents work in it
 * @param head the commit that its branch is at, full hash
 * @param made whether it was made, or made anew, and not found whole
 */
public record PreparedWorktree(Path worktree, Path workspace, String head, boolean made) {}
