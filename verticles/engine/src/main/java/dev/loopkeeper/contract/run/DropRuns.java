package dev.loopkeeper.contract.run;

/**
 * Command: forget all runs, since another process may own them. Ends no process and writes nothing. Answered with
 * itself at once.
 */
public record DropRuns() {}
