package dev.loopkeeper.contract.signal;

/**
 * Command: publish {@link SignalSeen} when a complete signal is written. Ends with {@link ReadSignal}. Safe to repeat.
 */
public record WatchSignal(SignalPlace place) {}
