package dev.loopkeeper.contract.process;

/** An orphaned process, of an ended step or an unknown run. */
public record StrayProcess(String runId, String stepId, long pid, String command) {}
