package dev.loopkeeper.rules.message;

import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.KeptWorktree;
import java.util.List;
import java.util.Optional;

/** The result of a git command. */
public sealed interface GitResult {
    /**
     * An item was merged or had conflicts.
     *
     * @param commit of the merge; absent after a conflict, or when the item changed nothing
     * @param head full hash of the head of the run's branch
     * @param conflicts the conflicting files
     * @param changes on the run's branch
     * @param total on the run's branch since it began
     */
    record Merged(Optional<String> commit, String head, List<String> conflicts, Changed changes, Changed total)
            implements GitResult {}

    /** An attempt's changes were undone; {@code kept} is the ref that preserves them, absent when there were none. */
    record Undone(Optional<String> kept) implements GitResult {}

    /** A worktree was removed, or {@code kept} says where and why it stays. */
    record Finished(Optional<KeptWorktree> kept) implements GitResult {}

    /** Git failed. */
    record Failed(GitFailure failure) implements GitResult {}
}
