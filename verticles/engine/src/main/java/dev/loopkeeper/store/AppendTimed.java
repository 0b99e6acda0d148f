package dev.loopkeeper.store;

/**
 * Fact: events became durable.
 *
 * @param events how many, 1 or more
 * @param nanos from being asked to being durable, the wait for a shared sync included
 */
public record AppendTimed(int events, long nanos) {}
