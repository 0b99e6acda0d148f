package dev.loopkeeper.contract.worktree;

import java.util.List;
import java.util.Optional;

/**
 * Answer: the durable state in git.
 *
 * @param commit head of the branch, full hash; empty if nothing changed since {@link CommitStep#from()}
 * @param head of the branch, always
 * @param tree hash of the head's content, equal for equal contents
 * @param changes from {@link CommitStep#from()} to the head
 * @param total from {@link CommitStep#base()} to the head
 * @param warnings for people, e.g. that files of a nested repository are not committed
 */
public record StepCommitted(
        Optional<String> commit, String head, String tree, Changes changes, Changes total, List<String> warnings) {
    public StepCommitted {
        warnings = List.copyOf(warnings);
    }
}
