package dev.loopkeeper.contract.run;

/**
 * Answer: how this node is.
 *
 * @param live whether it has a lease, and so carries out runs
 */
public record NodeSelf(String node, boolean live) {}
