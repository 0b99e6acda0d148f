package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Command: carry these runs on, which this process owns. Answered when what that means is durable.
 *
 * @param moved whether their open steps went with a node, or with this one's former lease: none of them lives
 */
public record TakeUpRuns(List<String> runIds, boolean moved) {}
