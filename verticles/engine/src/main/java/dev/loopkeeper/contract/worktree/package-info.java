/**
 * Event-bus channels of worktrees, {@code loopkeeper.worktrees.<command>}, with their records and failures. The handlers
 * are in {@code worktree}; when to commit, reset or merge is decided in {@code rules}.
 */
@CheckReturnValue
package dev.loopkeeper.contract.worktree;

import com.google.errorprone.annotations.CheckReturnValue;
