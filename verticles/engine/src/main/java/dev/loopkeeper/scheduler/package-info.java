/**
 * Executes runs: passes events to the state machine and its commands to the other verticles.
 *
 * <p>Belongs here: one actor per open run, recovery, run slots. Does not: any rule of a run ({@code rules}); processes
 * and files, which other verticles handle over the bus.
 */
@CheckReturnValue
package dev.loopkeeper.scheduler;

import com.google.errorprone.annotations.CheckReturnValue;
