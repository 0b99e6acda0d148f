package dev.loopkeeper.scheduler;

/** Question about one run. */
public record GetRun(String runId) {}
