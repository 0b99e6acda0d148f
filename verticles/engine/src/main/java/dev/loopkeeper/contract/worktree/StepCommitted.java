package dev.loopkeeper.contract.worktree;

import java.util.List;
import java.util.Optional;

/**
 * Answer: what is durable in git now.
 *
 * @param commit where the branch is at, full hash; empty when nothing changed since {@link CommitStep#from()}
 * @param head where the branch is at, always
 * @param tree the hash of what the head contains: the same for the same contents
 * @param changes from {@link CommitStep#from()} to the head
 * @param total from {@link CommitStep#base()} to the head
 * @param warnings what a person should know at once, e.g. that no file of a repository in the worktree is committed
 */
public record StepCommitted(
        Optional<String> commit, String head, String tree, Changes changes, Changes total, List<String> warnings) {
    public StepCommitted {
        warnings = List.copyOf(warnings);
    }
}
