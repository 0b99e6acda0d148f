package dev.loopkeeper.signal;

/**
 * Event: a whole JSON object is in the signal file of a step that still runs. Published once per distinct content; what
 * counts in the end is {@link ReadSignal}.
 *
 * @param content as it was read
 */
public record SignalSeen(String runId, String stepId, String content) {}
