package dev.loopkeeper.rules.message;

import dev.loopkeeper.run.git.KeptWorktree;
import dev.loopkeeper.run.git.Merge;
import java.util.Optional;

/** The result of a git command. */
public sealed interface GitResult {
    /** An item was merged or had conflicts. */
    record Merged(Merge merge) implements GitResult {}

    /** An attempt's changes were undone; {@code kept} is the ref that preserves them, absent when there were none. */
    record Undone(Optional<String> kept) implements GitResult {}

    /** A worktree was removed, or {@code kept} says where and why it stays. */
    record Finished(Optional<KeptWorktree> kept) implements GitResult {}

    /** Git failed. */
    record Failed(GitFailure failure) implements GitResult {}
}
