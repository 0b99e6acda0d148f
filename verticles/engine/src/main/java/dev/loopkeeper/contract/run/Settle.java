package dev.loopkeeper.contract.run;

/** Request: the active runs. If there are none, no more work is taken from then on. Answered by {@link Settled}. */
public record Settle() {}
