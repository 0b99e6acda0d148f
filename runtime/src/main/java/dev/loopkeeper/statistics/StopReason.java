package dev.loopkeeper.statistics;

/**
 * The stop condition that halted the run, with its measured value.
 *
 * @param value what was measured, e.g. 0.5 or 3
 * @param message for people, one sentence
 */
public record StopReason(StopCondition condition, double value, double threshold, String message) {}
