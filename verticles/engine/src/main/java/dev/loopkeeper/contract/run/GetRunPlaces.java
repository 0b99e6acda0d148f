package dev.loopkeeper.contract.run;

/** Question: on whose disks the files of a run lie. */
public record GetRunPlaces(String runId) {}
