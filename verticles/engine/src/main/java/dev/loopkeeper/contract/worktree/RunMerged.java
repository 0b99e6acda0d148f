package dev.loopkeeper.contract.worktree;

import java.util.List;
import java.util.Optional;

/**
 * Answer: it is merged, or it is not.
 *
 * @param into the branch
 * @param commit where that branch is at when it is merged, full hash; empty on a conflict
 * @param already whether it was merged before, so that nothing changed
 * @param conflicts the files that conflict, as git spells names; the branch is as it was then
 * @param changes that came to the branch
 * @param withoutFiles paths of which only the commit of another repository is merged and no file, since it is no submodule
 */
public record RunMerged(
        String into,
        Optional<String> commit,
        boolean already,
        List<String> conflicts,
        Changes changes,
        List<String> withoutFiles) {
    public RunMerged {
        conflicts = List.copyOf(conflicts);
        withoutFiles = List.copyOf(withoutFiles);
    }

    /** The branch has it. */
    public static RunMerged already(String into, String head) {
        return new RunMerged(into, Optional.of(head), true, List.of(), Changes.NONE, List.of());
    }

    /** It cannot be merged. */
    public static RunMerged conflicting(String into, List<String> files) {
        return new RunMerged(into, Optional.empty(), false, files, Changes.NONE, List.of());
    }
}
