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
 * Says what has to be said on a thread of its own. Whoever speaks waits until it is said, but not for a reader that has
 * stopped to read: a terminal after Ctrl-S, a pager that shows its first page. A signal must end a run there too. Safe to
 * use from any thread; what is said comes in its order.
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

    /** Waits for it, unless something that was said before still waits for a reader. */
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
            // It waits in the queue of the pool too, where it is found done.
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
