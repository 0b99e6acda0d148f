package dev.loopkeeper.contract.run;

/**
 * Command: take no more work, and interrupt the runs whose agents do not outlive the runtime. Answered with itself once
 * those have ended.
 */
public record Drain() {}
