package dev.loopkeeper.contract;

import java.util.List;
import java.util.Optional;

/**
 * Answer: the result of a merge.
 *
 * @param into the branch
 * @param commit head of that branch after the merge, full hash; empty on a conflict and of a dry run
 * @param already whether it was merged before, so that nothing changed
 * @param conflicts conflicting files as git prints names; the branch is unchanged then
 * @param changes added to the branch
 * @param withoutFiles paths of nested repositories that are not submodules: their commit is merged without files
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

    /** The branch had the changes already. */
    public static RunMerged already(String into, String head) {
        return new RunMerged(into, Optional.of(head), true, List.of(), Changes.NONE, List.of());
    }

    /** The result of a planned merge without conflicts. */
    public static RunMerged planned(String into, Changes changes, List<String> withoutFiles) {
        return new RunMerged(into, Optional.empty(), false, List.of(), changes, withoutFiles);
    }

    /** The merge has conflicts. */
    public static RunMerged conflicting(String into, List<String> files) {
        return new RunMerged(into, Optional.empty(), false, files, Changes.NONE, List.of());
    }
}
