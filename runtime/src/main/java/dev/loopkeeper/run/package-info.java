/**
 * The durable facts of a run: its state, its events, its ids.
 *
 * <p>An event defines its change of the state, and nothing else changes a state. Does not belong here: whether an event
 * occurs ({@code rules}), its JSON form ({@code checkpoint}).
 */
@CheckReturnValue
package dev.loopkeeper.run;

import com.google.errorprone.annotations.CheckReturnValue;
