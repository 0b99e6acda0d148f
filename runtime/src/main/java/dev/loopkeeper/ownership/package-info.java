/**
 * Decides which node owns a run in a cluster: a node's lease, the conditions of a takeover, and the placement of runs.
 *
 * <p>Belongs here: every rule of ownership, as values and functions of inputs with their time. Does not: database rows
 * and statements, processes, timers (the caller feeds inputs and executes commands), and the content of runs.
 *
 * <p>{@code docs/cluster.md} explains the rules and their reasons.
 */
@CheckReturnValue
package dev.loopkeeper.ownership;

import com.google.errorprone.annotations.CheckReturnValue;
