package dev.loopkeeper.contract.run;

/** Request: the runs that only wait for a slot here. */
public record ListWaiting() {}
