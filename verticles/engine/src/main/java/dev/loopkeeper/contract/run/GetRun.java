package dev.loopkeeper.contract.run;

/** Request about a run. */
public record GetRun(String runId) {}
