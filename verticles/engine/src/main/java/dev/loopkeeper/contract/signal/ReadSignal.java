package dev.loopkeeper.contract.signal;

/**
 * Question, when the step is over and swept: what is in the file. Ends the watching: after the answer no
 * {@link SignalSeen} of this step follows. A copy stays in the step's folder as {@code signal.json}.
 */
public record ReadSignal(SignalPlace place) {}
