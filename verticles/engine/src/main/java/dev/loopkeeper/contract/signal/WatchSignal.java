package dev.loopkeeper.contract.signal;

/** Command: tell by {@link SignalSeen} when a whole signal is there. Ends with {@link ReadSignal}. Safe to repeat. */
public record WatchSignal(SignalPlace place) {}
