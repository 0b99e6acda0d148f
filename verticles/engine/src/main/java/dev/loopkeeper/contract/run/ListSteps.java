package dev.loopkeeper.contract.run;

import java.util.OptionalLong;

/**
 * Request: steps of a run, by the sequence of the event that records their start.
 *
 * @param since the oldest after this sequence; absent: the newest
 * @param before the newest before this sequence; absent: of all. Never together with {@code since}
 * @param limit most steps, 1 or more
 */
public record ListSteps(String runId, OptionalLong since, OptionalLong before, int limit) {}
