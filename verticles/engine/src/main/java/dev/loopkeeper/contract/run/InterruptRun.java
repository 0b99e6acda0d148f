package dev.loopkeeper.contract.run;

/**
 * Command: end a run because its runtime stops; it ends with {@code error_interrupted}. Answered with itself once the
 * run has ended.
 */
public record InterruptRun(String runId, String why) {}
