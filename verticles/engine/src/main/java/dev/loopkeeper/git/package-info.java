/**
 * The one way in which the program {@code git} is run: a clean environment, a time limit, bounded answers.
 *
 * <p>Nothing here knows of runs or worktrees.
 */
@CheckReturnValue
package dev.loopkeeper.git;

import com.google.errorprone.annotations.CheckReturnValue;
