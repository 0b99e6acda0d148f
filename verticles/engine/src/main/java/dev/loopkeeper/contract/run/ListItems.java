package dev.loopkeeper.contract.run;

/**
 * Question: a part of a run's items, in the order of its plan.
 *
 * @param since how many to pass over, 0 or more
 * @param limit at most so many, 1 or more
 */
public record ListItems(String runId, int since, int limit) {}
