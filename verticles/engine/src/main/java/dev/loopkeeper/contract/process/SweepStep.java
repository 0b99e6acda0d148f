package dev.loopkeeper.contract.process;

/**
 * Command: look once more for what a step that is over left alive, and end it. Answered by a receipt; safe to repeat.
 *
 * @param now skips the grace
 */
public record SweepStep(String runId, String stepId, boolean now) {}
