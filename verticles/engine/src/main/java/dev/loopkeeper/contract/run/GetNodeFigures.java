package dev.loopkeeper.contract.run;

/** Request: figures of this node's leases. Answered by {@link NodeFigures}. */
public record GetNodeFigures() {}
