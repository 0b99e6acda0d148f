package dev.loopkeeper.contract.signal;

/** Answer: whatever is written from now on is seen, and what is there already. */
public record SignalWatched(String runId, String stepId) {}
