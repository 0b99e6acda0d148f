package dev.loopkeeper.contract.run;

/**
 * Command: take no more work, and interrupt runs whose agents do not outlive the runtime. Answered with itself once
 * those runs have ended.
 */
public record Drain() {}
