package dev.loopkeeper.contract.signal;

/** Answer: the watch sees the present content and all later ones. */
public record SignalWatched(String runId, String stepId) {}
