package dev.loopkeeper.contract.run;

/** Question: which nodes there are. Answered by {@link NodeList}. */
public record ListNodes() {}
