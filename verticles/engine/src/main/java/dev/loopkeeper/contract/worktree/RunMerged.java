package dev.loopkeeper.contract.worktree;

import java.util.List;
import java.util.Optional;

/**
 * Answer: it is merged, or it is not.
 *
 * @param into the branch of the checkout
 * @param commit where that branch is at when it is merged, full hash; empty on a conflict
 * @param already whether it was merged before, so that nothing changed
 * @param conflicts the files that conflict, as git spells names; the checkout is as it was then
 * @param changes that came to the branch
 */
public record RunMerged(
        String into, Optional<String> commit, boolean already, List<String> conflicts, Changes changes) {
    public RunMerged {
        conflicts = List.copyOf(conflicts);
    }
}
