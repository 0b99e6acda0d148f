/**
 * Channels of worktrees, {@code loopkeeper.worktrees.<verb>}, and the records that travel on them.
 *
 * <p>Belongs here: commands, questions and answers as records, and how they fail. Does not: who carries them out
 * ({@code worktree}), nor when to commit, reset or merge, which is decided in the core.
 */
@CheckReturnValue
package dev.loopkeeper.contract.worktree;

import com.google.errorprone.annotations.CheckReturnValue;
