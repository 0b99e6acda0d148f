package dev.loopkeeper.contract.run;

/** Question: which runs wait for nothing but a place here. */
public record ListWaiting() {}
