package dev.loopkeeper.contract.run;

/** Request: all nodes. Answered by {@link NodeList}. */
public record ListNodes() {}
