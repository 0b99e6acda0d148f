package dev.loopkeeper.contract.run;

/** Question: how the node is that is asked. Answered by {@link NodeSelf}. */
public record GetNode() {}
