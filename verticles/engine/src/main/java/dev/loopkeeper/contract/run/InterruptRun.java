package dev.loopkeeper.contract.run;

/**
 * Command: end this run because its runtime ends; it ends {@code error_interrupted}. Answered with itself once the run
 * has ended.
 */
public record InterruptRun(String runId, String why) {}
