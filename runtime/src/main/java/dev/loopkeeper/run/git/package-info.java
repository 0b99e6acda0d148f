/**
 * What a run records of its branches, commits and worktrees.
 *
 * <p>Does not belong here: the state of a run's repository as a whole, which events change ({@code run}).
 */
@CheckReturnValue
package dev.loopkeeper.run.git;

import com.google.errorprone.annotations.CheckReturnValue;
