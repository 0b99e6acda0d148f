package dev.loopkeeper.contract.signal;

/**
 * Request, after the step's processes are gone: the content of the file. Ends the watch: no {@link SignalSeen} of this
 * step follows the answer. A copy stays in the step's folder as {@code signal.json}.
 */
public record ReadSignal(SignalPlace place) {}
