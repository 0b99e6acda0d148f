package dev.loopkeeper.contract.run;

/**
 * Request: a page of a run's items, in the order of its plan.
 *
 * @param since number of items to skip, 0 or more
 * @param limit most items, 1 or more
 */
public record ListItems(String runId, int since, int limit) {}
