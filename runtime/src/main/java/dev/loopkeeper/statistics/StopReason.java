package dev.loopkeeper.statistics;

/**
 * Which condition halted the run, and by how much.
 *
 * @param value what was measured, e.g. 0.5 or 3
 * @param message for people, one sentence
 */
public record StopReason(StopCondition condition, double value, double threshold, String message) {}
