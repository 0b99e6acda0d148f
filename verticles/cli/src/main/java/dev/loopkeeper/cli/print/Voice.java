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
final class Voice {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Executor thread;
    private final Duration patience;
    private volatile boolean heard = true;

    Voice() {
        this(PATIENCE);
    }

    Voice(Duration patience) {
        this(patience, words -> {
            Thread made = new Thread(words, "loopkeeper-voice");
            made.setDaemon(true);
            return made;
        });
    }

    Voice(Duration patience, ThreadFactory threads) {
        this.patience = patience;
        this.thread = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    }

    /** Prints a message and waits for it, unless an earlier message still waits for the reader. */
    void say(Runnable words) {
        FutureTask<?> said = new FutureTask<>(
                () -> {
                    words.run();
                    heard = true;
                },
                null);
        try {
            thread.execute(said);
        } catch (OutOfMemoryError noThread) {
            // The task stays in the queue of the pool as well, where it is already done.
            said.run();
        }
        if (!heard) {
            return;
        }
        try {
            said.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException nobodyReads) {
            heard = said.isDone();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException broken) {
            throw new IllegalStateException(broken.getCause());
        }
    }
}
