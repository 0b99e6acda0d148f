package dev.loopkeeper.contract.process;

/**
 * Command: scan again for processes that an ended step left alive, and end them. Answered by a receipt; safe to repeat.
 *
 * @param now skips the grace
 */
public record SweepStep(String runId, String stepId, boolean now) {}
