package dev.loopkeeper.store;

/**
 * Event: an append became durable.
 *
 * @param events number of events, 1 or more
 * @param nanos from the request until durable, including the wait for a shared sync
 */
public record AppendTimed(int events, long nanos) {}
