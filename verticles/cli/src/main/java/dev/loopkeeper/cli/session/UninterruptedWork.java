package dev.loopkeeper.cli.session;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that a signal does not interrupt: this process ends when the work is done, or at the second signal. */
public final class UninterruptedWork implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::awaitEnd, "loopkeeper-whole-work");
    private final EndSignals signals;

    private UninterruptedWork(Runnable onSignal) {
        Runtime.getRuntime().addShutdownHook(hook);
        signals = EndSignals.install(onSignal, over::countDown);
    }

    /**
     * Begins the work; from now on the first signal only runs {@code onSignal}.
     *
     * @param onSignal runs at the first signal
     */
    public static UninterruptedWork begin(Runnable onSignal) {
        return new UninterruptedWork(onSignal);
    }

    private void awaitEnd() {
        try {
            boolean unused = over.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the work after its result was printed. */
    @Override
    public void close() {
        over.countDown();
        signals.close();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return;
        }
    }
}
