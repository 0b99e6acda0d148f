package dev.loopkeeper.contract.run;

/** Question: one step of a run. */
public record GetStep(String runId, String stepId) {}
