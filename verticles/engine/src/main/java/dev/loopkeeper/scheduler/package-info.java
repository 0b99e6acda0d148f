/**
 * Carries runs out: feeds what happens to the state machine and its commands to the verticles.
 *
 * <p>Belongs here: one actor per open run, recovery, places for runs. Does not: any rule of a run ({@code rules}), processes
 * and files, which are asked for over the bus.
 */
@CheckReturnValue
package dev.loopkeeper.scheduler;

import com.google.errorprone.annotations.CheckReturnValue;
