package dev.loopkeeper.contract.run;

/**
 * Command: do nothing more for any run, since another process may. No process is ended by it and nothing written.
 * Answered with itself at once.
 */
public record DropRuns() {}
