/**
 * Decides every input of a run: the state machine and its rules.
 *
 * <p>A state and an input give events to make durable and commands to execute after that. Only events change a state.
 * Does not belong here: durable types ({@code run}).
 */
@CheckReturnValue
package dev.loopkeeper.rules;

import com.google.errorprone.annotations.CheckReturnValue;
