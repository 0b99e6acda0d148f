package dev.loopkeeper.contract.run;

/** Request: a step of a run. */
public record GetStep(String runId, String stepId) {}
