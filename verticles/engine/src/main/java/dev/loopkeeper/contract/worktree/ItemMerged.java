package dev.loopkeeper.contract.worktree;

import java.util.List;
import java.util.Optional;

/**
 * Answer: the result of a merge.
 *
 * @param commit full hash of the merge, also if an earlier command made it; empty on a conflict, and if the item
 *     changed nothing
 * @param conflicts conflicting files as git prints names; empty after a merge
 * @param head of the run's branch
 * @param tree hash of the head's content
 * @param changes that the merge added to the run's branch
 * @param total from {@link MergeItem#base()} to the head
 */
public record ItemMerged(
        Optional<String> commit, List<String> conflicts, String head, String tree, Changes changes, Changes total) {
    public ItemMerged {
        conflicts = List.copyOf(conflicts);
    }

    /** Returns whether the run's branch has the item's changes. */
    public boolean isMerged() {
        return conflicts.isEmpty();
    }
}
