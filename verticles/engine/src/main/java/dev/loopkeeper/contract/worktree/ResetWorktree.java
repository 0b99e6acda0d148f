package dev.loopkeeper.contract.worktree;

/**
 * Command: reset this worktree and its branch to a commit. Undone commits and uncommitted changes stay reachable as
 * {@code refs/loopkeeper/<runId>/undone/<keepAs>}. Untracked files are removed, except {@code .loopkeeper/} and ignored
 * files (build outputs, packages).
 *
 * @param to full hash, where the iteration began
 * @param keepAs part of a ref name, e.g. {@code build.3.1}; unique for each reset
 */
public record ResetWorktree(WorktreePlace place, String to, String keepAs) {}
