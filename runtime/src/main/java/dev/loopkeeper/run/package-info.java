/**
 * What is durable of a run: its state and the parts of it, its events, its ids.
 *
 * <p>An event knows what it changes in a state, and nothing else changes one. Does not belong here: whether an event
 * comes about ({@code rules}), how it is written ({@code checkpoint}).
 */
@CheckReturnValue
package dev.loopkeeper.run;

import com.google.errorprone.annotations.CheckReturnValue;
