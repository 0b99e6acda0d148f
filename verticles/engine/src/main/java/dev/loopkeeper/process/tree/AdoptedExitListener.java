package dev.loopkeeper.process.tree;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reports the exit of agents that an earlier runtime launched. They are not children of this process, and polling a
 * thousand of them ten times a second would take a processor. Separate from {@link ExitWatch#shared} to leave its
 * capacity to processes that are being terminated. Thread-safe.
 */
public final class AdoptedExitListener {
    /** Each takes a file descriptor; further agents are polled. */
    private static final int MAX_WATCHED = 2048;

    private static final ExitWatch WATCH = new ExitWatch(MAX_WATCHED);

    private AdoptedExitListener() {}

    /**
     * Watches exactly this process. Blocks briefly.
     *
     * @param ended called once, on another thread, when the process may have ended or cannot be watched any longer;
     *     must not block
     * @return ends the watch, also after the call; empty if the process cannot be watched or has ended
     */
    public static Optional<Runnable> watch(Signals signals, Identity process, Runnable ended) {
        AtomicLong token = new AtomicLong(ExitWatch.NOT_WATCHED);
        boolean watched = signals.hold(process, handle -> {
            token.set(WATCH.add(handle, ended));
            return token.get() != ExitWatch.NOT_WATCHED;
        });
        return watched ? Optional.of(() -> WATCH.forget(token.get())) : Optional.empty();
    }
}
