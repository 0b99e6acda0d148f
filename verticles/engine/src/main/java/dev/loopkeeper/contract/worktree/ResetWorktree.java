package dev.loopkeeper.contract.worktree;

/**
 * Command: set this worktree and its branch back to a commit. What is undone, commits and changes that are not committed
 * alike, stays reachable as {@code refs/loopkeeper/<runId>/undone/<keepAs>}. Files that git neither tracks nor ignores
 * are removed, but for {@code .loopkeeper/}; what git ignores (build outputs, packages) stays.
 *
 * @param to full hash, where the iteration began
 * @param keepAs fit for the name of a ref, e.g. {@code build.3.1}; differs for each thing that is undone
 */
public record ResetWorktree(WorktreePlace place, String to, String keepAs) {}
