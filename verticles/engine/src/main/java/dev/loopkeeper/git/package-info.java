/**
 * Runs the program {@code git} with a clean environment, a time limit and bounded output.
 *
 * <p>Nothing here knows of runs or worktrees.
 */
@CheckReturnValue
package dev.loopkeeper.git;

import com.google.errorprone.annotations.CheckReturnValue;
