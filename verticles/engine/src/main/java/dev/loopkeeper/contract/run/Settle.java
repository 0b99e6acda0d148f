package dev.loopkeeper.contract.run;

/** Question: what goes on by itself. When nothing does, no more work is taken from then on. Answered by {@link Settled}. */
public record Settle() {}
