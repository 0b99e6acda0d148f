package dev.loopkeeper.contract;

/** An orphaned process, of an ended step or an unknown run. */
public record OrphanProcess(String runId, String stepId, long pid, String command) {}
