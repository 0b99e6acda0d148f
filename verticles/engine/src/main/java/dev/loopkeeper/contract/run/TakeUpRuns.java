package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Command: continue these runs, which this process owns. Answered once the effects are durable.
 *
 * @param moved whether their open steps ended with another node or this node's former lease, so that none of them is
 *     alive
 */
public record TakeUpRuns(List<String> runIds, boolean moved) {}
