package dev.loopkeeper.cli.print;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Prints messages on a thread of its own, in their order. A caller waits until its message is printed, unless the
 * output takes none for one second: a terminal after Ctrl-S or a pager may not read, and a signal must still end a run.
 * A late start of the thread on a busy machine is waited for. Safe to use from any thread.
 */
final class MessagePrinter {
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Executor thread;
    private final Duration patience;
    /** When the message that is being printed began, by {@link System#nanoTime}. Empty between messages. */
    private volatile OptionalLong begun = OptionalLong.empty();

    MessagePrinter(Duration patience) {
        this(patience, message -> {
            Thread made = new Thread(message, "loopkeeper-messages");
            made.setDaemon(true);
            return made;
        });
    }

    MessagePrinter(Duration patience, ThreadFactory threads) {
        this.patience = patience;
        this.thread = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    }

    /** Prints a message and waits for it, unless an earlier message still waits for the reader. */
    void say(Runnable message) {
        FutureTask<?> printing = new FutureTask<>(
                () -> {
                    begun = OptionalLong.of(System.nanoTime());
                    try {
                        message.run();
                    } finally {
                        begun = OptionalLong.empty();
                    }
                },
                null);
        try {
            thread.execute(printing);
        } catch (OutOfMemoryError noThread) {
            // The task stays in the queue of the pool as well, where it is already done.
            printing.run();
        }
        try {
            long left = patienceLeft();
            while (left > 0 && !isPrinted(printing, left)) {
                left = patienceLeft();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException broken) {
            throw new IllegalStateException(broken.getCause());
        }
    }

    /** Nanoseconds that the message being printed may still take; those of a whole message if none is. */
    private long patienceLeft() {
        OptionalLong since = begun;
        return patience.toNanos() - (since.isPresent() ? System.nanoTime() - since.getAsLong() : 0);
    }

    private static boolean isPrinted(FutureTask<?> printing, long nanos)
            throws InterruptedException, ExecutionException {
        try {
            printing.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        }
    }
}
