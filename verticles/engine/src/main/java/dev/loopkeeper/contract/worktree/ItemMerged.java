package dev.loopkeeper.contract.worktree;

import java.util.List;
import java.util.Optional;

/**
 * Answer: it is merged, or it is not.
 *
 * @param commit that holds the merge, full hash, also when an earlier command made it; empty on a conflict, and where the
 *     item changed nothing
 * @param conflicts the files that conflict, as git spells names; empty when it is merged
 * @param head where the run's branch is at
 * @param tree the hash of what the head contains
 * @param changes that the merge brought to the run's branch
 * @param total from {@link MergeItem#base()} to the head
 */
public record ItemMerged(
        Optional<String> commit, List<String> conflicts, String head, String tree, Changes changes, Changes total) {
    public ItemMerged {
        conflicts = List.copyOf(conflicts);
    }

    /** Whether the item's changes are in the run's branch. */
    public boolean isMerged() {
        return conflicts.isEmpty();
    }
}
