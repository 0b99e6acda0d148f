package dev.loopkeeper.view;

import dev.loopkeeper.run.KeptWorktree;
import java.util.List;

/**
 * What a run with a worktree of its own has done in it so far.
 *
 * @param branch of the run, e.g. {@code loopkeeper/fix-flaky-tests-20261120-151233-x7k2}
 * @param base commit that it began from
 * @param head newest commit; the base while there is none
 * @param files changed between the two
 * @param insertions lines added between the two
 * @param deletions lines removed between the two
 * @param kept worktrees that stay although their work is over, with the reason
 */
public record GitWork(
        String branch, String base, String head, int files, long insertions, long deletions, List<KeptWorktree> kept) {
    /** Absent in the document: none. */
    public GitWork {
        kept = kept == null ? List.of() : List.copyOf(kept);
    }
}
