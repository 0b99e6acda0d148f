package dev.loopkeeper.view;

import dev.loopkeeper.run.git.KeptWorktree;
import java.util.List;

/**
 * The work of a run in its worktree.
 *
 * @param branch of the run, e.g. {@code loopkeeper/fix-flaky-tests-20261120-151233-x7k2}
 * @param base its base commit
 * @param head newest commit; initially the base
 * @param files changed between the two
 * @param insertions lines added between the two
 * @param deletions lines removed between the two
 * @param kept worktrees that stay after their work ended, with the reason
 */
public record GitWork(
        String branch, String base, String head, int files, long insertions, long deletions, List<KeptWorktree> kept) {}
