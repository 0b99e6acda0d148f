package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Handles the signals that ask this process to end while it does some work. The first one begins the shutdown of the
 * JVM, which waits for the hook.
 */
public final class ShutdownHook {
    private final CountDownLatch reported;
    private final Thread hook;
    private final Duration longest;
    private final EndSignals signals;

    private ShutdownHook(
            CountDownLatch reported,
            Consumer<ShutdownHook> ending,
            Duration longest,
            Consumer<String> first,
            Runnable again) {
        this.reported = reported;
        this.longest = longest;
        this.hook = new Thread(() -> ending.accept(this), "loopkeeper-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        this.signals = EndSignals.install(first, again);
    }

    /**
     * Handles signals from now on.
     *
     * @param ending the hook
     * @param longest how long the hook takes at most
     * @param first receives the name of the first signal, before the shutdown
     * @param again runs at each later signal
     */
    public static ShutdownHook install(
            Consumer<ShutdownHook> ending, Duration longest, Consumer<String> first, Runnable again) {
        return new ShutdownHook(new CountDownLatch(1), ending, longest, first, again);
    }

    /**
     * Delays the end of this process until the work is done, or until the second signal.
     *
     * @param longest the longest delay
     * @param first runs at the first signal
     */
    public static ShutdownHook delaying(Duration longest, Runnable first) {
        CountDownLatch done = new CountDownLatch(1);
        return new ShutdownHook(
                done, hook -> hook.awaitReport(longest), longest, signal -> first.run(), done::countDown);
    }

    /** Waits in the hook until the command has printed its result; returns false after {@code most}. */
    @CanIgnoreReturnValue
    public boolean awaitReport(Duration most) {
        try {
            return reported.await(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Ends the handling of signals once the result is printed.
     *
     * @param last runs if there was no signal; otherwise this method waits for the hook
     */
    public void close(Runnable last) {
        reported.countDown();
        if (removed()) {
            last.run();
            signals.close();
            return;
        }
        try {
            hook.join(longest.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean removed() {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return false;
        }
    }
}
