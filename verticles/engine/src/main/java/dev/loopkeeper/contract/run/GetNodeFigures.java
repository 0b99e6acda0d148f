package dev.loopkeeper.contract.run;

/** Question: how the leases of the node went that is asked. Answered by {@link NodeFigures}. */
public record GetNodeFigures() {}
