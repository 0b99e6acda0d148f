package dev.loopkeeper.cli.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
    private final Consumer<String> first;
    private final Runnable again;

    private EndSignals(Consumer<String> first, Runnable again) {
        this.first = first;
        this.again = again;
    }

    /**
     * Installs the signal handlers.
     *
     * @param first receives the name of the first signal, such as {@code SIGTERM}; afterwards the JVM begins to shut down as usual
     * @param again runs at each later signal, but not while {@code first} is running
     */
    public static EndSignals install(Consumer<String> first, Runnable again) {
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
        usual.complete(Signal.handle(signal, caught -> relay(caught, usual.join())));
        restorations.push(() -> Signal.handle(signal, usual.join()));
    }

    /** Called on a new thread for each signal. */
    private void relay(Signal caught, SignalHandler usual) {
        if (received.incrementAndGet() > 1) {
            again.run();
            return;
        }
        try {
            first.accept("SIG" + caught.getName());
        } finally {
            usual.handle(caught);
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
