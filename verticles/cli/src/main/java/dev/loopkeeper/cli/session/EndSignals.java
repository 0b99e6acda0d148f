package dev.loopkeeper.cli.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Handles every signal that asks this process to end. A shutdown hook reacts to the first signal only, and Java has no
 * public API for later ones. So this class uses {@code sun.misc.Signal} of the module {@code jdk.unsupported}. Without
 * that module the JVM handles signals by default. A signal that was ignored when the process began stays ignored.
 */
public final class EndSignals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndSignals.class);
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

    private final AtomicInteger received = new AtomicInteger();
    private final Deque<Runnable> restorations = new ArrayDeque<>();
    private final Runnable first;
    private final Runnable again;

    private EndSignals(Runnable first, Runnable again) {
        this.first = first;
        this.again = again;
    }

    /**
     * Installs the signal handlers.
     *
     * @param first runs at the first signal; afterwards the JVM begins to shut down as usual
     * @param again runs at each later signal, but not while {@code first} is running
     */
    public static EndSignals install(Runnable first, Runnable again) {
        EndSignals signals = new EndSignals(first, again);
        for (String name : NAMES) {
            try {
                signals.handle(new Signal(name));
            } catch (LinkageError | IllegalArgumentException none) {
                LOG.debug("a second {} cannot be handled", name, none);
            }
        }
        return signals;
    }

    private void handle(Signal signal) {
        // The JVM's own handler runs the shutdown hooks and exits with the code of the signal. It does not return.
        CompletableFuture<SignalHandler> usual = new CompletableFuture<>();
        usual.complete(Signal.handle(signal, caught -> relay(() -> usual.join().handle(caught))));
        restorations.push(() -> Signal.handle(signal, usual.join()));
    }

    /** Called on a new thread for each signal. */
    private void relay(Runnable end) {
        if (received.incrementAndGet() > 1) {
            again.run();
            return;
        }
        try {
            first.run();
        } finally {
            end.run();
        }
    }

    /** Restores the previous signal handlers. */
    @Override
    public void close() {
        while (!restorations.isEmpty()) {
            restorations.pop().run();
        }
    }
}
