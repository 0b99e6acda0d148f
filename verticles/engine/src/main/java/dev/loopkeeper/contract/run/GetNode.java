package dev.loopkeeper.contract.run;

/** Request: the state of this node. Answered by {@link NodeSelf}. */
public record GetNode() {}
