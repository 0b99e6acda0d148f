/**
 * What decides: the machine, and every rule of a run.
 *
 * <p>An input meets a state; the answer is events to make durable and commands to carry out after that. A rule changes
 * a state by an event only. Does not belong here: anything that has to last ({@code run}).
 */
@CheckReturnValue
package dev.loopkeeper.rules;

import com.google.errorprone.annotations.CheckReturnValue;
