/**
 * Decides who of a pool's runs launches next: its places, its queue, and its cool-down with a single probe.
 *
 * <p>Belongs here: the state of a pool as a value, and a function of inputs with their time. Does not: which agents
 * belong to a pool ({@code policy}), what a run does while it waits ({@code rules}), rows and timers.
 */
@CheckReturnValue
package dev.loopkeeper.pool;

import com.google.errorprone.annotations.CheckReturnValue;
