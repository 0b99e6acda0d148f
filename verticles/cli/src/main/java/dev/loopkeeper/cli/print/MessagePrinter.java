package dev.loopkeeper.cli.print;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Prints messages on a thread of its own, in their order. A caller waits until its message is printed, but one second
 * at most: a terminal after Ctrl-S or a pager may not read, and a signal must still end a run. Safe to use from any
 * thread.
 */
final class MessagePrinter {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Executor thread;
    private final Duration patience;
    private volatile boolean read = true;

    MessagePrinter() {
        this(PATIENCE);
    }

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
                    message.run();
                    read = true;
                },
                null);
        try {
            thread.execute(printing);
        } catch (OutOfMemoryError noThread) {
            // The task stays in the queue of the pool as well, where it is already done.
            printing.run();
        }
        if (!read) {
            return;
        }
        try {
            printing.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notRead) {
            read = printing.isDone();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException broken) {
            throw new IllegalStateException(broken.getCause());
        }
    }
}
