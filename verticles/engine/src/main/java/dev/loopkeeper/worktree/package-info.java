/**
 * Executes the core's worktree decisions in git.
 *
 * <p>Belongs here: what is done in a repository, and how it is made safe to repeat. Does not: when it is done.
 */
@CheckReturnValue
package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CheckReturnValue;
