package dev.loopkeeper.contract.run;

/**
 * Answer: the state of this node.
 *
 * @param live whether it has a lease and so executes runs
 */
public record NodeSelf(String node, boolean live) {}
