package dev.loopkeeper.contract.run;

/** Request: the nodes that have files of a run. */
public record GetRunPlaces(String runId) {}
