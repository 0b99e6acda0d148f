package dev.loopkeeper.contract.run;

/** Command: skip the grace of agents that are ended because the runtime stops. Answered with itself at once. */
public record SkipGrace() {}
