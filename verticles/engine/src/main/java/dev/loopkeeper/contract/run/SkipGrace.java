package dev.loopkeeper.contract.run;

/** Command: skip the grace of the agents that are ended because the runtime ends. Answered with itself at once. */
public record SkipGrace() {}
