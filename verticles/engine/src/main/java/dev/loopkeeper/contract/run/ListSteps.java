package dev.loopkeeper.contract.run;

import java.util.OptionalLong;

/**
 * Question: some steps of one run, by the sequences of the events that record their begins.
 *
 * @param since the oldest after this sequence; absent: the newest
 * @param before the newest before this sequence; absent: of all. Never together with {@code since}
 * @param limit at most so many, 1 or more
 */
public record ListSteps(String runId, OptionalLong since, OptionalLong before, int limit) {}
