package dev.loopkeeper.rules;

import dev.loopkeeper.run.Changed;
import dev.loopkeeper.run.KeptWorktree;
import java.util.List;
import java.util.Optional;

/** What became of something that a run waited for in git. */
public sealed interface GitResult {
    /**
     * An item was merged, or could not be.
     *
     * @param commit that holds the merge; absent on a conflict, and where the item changed nothing
     * @param head where the run's branch is now, full hash
     * @param conflicts the files that conflict; empty when nothing does
     * @param changes on the run's branch
     * @param total on the run's branch since it began
     */
    record Merged(Optional<String> commit, String head, List<String> conflicts, Changed changes, Changed total)
            implements GitResult {}

    /** What an attempt did is undone; {@code kept} is the ref that holds it, absent where there was nothing. */
    record Undone(Optional<String> kept) implements GitResult {}

    /** A worktree is not needed any more; {@code kept} says where and why it stays, absent when it is gone. */
    record Finished(Optional<KeptWorktree> kept) implements GitResult {}

    /** Git could not do it. */
    record Failed(GitFailure trouble) implements GitResult {}
}
