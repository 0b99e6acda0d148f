package dev.loopkeeper.contract.process;

/** A process of a step that is over, or of a run that nobody knows any more. */
public record StrayProcess(String runId, String stepId, long pid, String command) {}
