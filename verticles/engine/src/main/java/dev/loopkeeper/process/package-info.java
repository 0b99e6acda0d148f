/**
 * Launching, watching, stopping and adopting the processes of steps.
 *
 * <p>Belongs here: what looks after one step, and the supervisor of all. Does not: what an end means for the run
 * ({@code rules}), the tree of processes as such ({@code process.tree}).
 */
@CheckReturnValue
package dev.loopkeeper.process;

import com.google.errorprone.annotations.CheckReturnValue;
