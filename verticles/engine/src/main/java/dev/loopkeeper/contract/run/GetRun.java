package dev.loopkeeper.contract.run;

/** Question about one run. */
public record GetRun(String runId) {}
