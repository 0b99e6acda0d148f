package dev.loopkeeper.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Executes requests to a store one after the other. Waiting requests are limited in number and time, so that a hanging
 * store is reported soon and no abandoned request is executed. Used from one context only.
 */
public final class StoreQueue {
    /** More than the busiest server, or a start that loads a page of runs at once, requires. */
    private static final int MOST_WAITING = 1_000;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    /** Longer than any sync. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final String store;
    private final int mostWaiting;
    private final Duration longestWait;
    private final Duration longestAnswer;
    private final Queue<Waiting<?>> waiting = new ArrayDeque<>();
    private boolean busy;
    private boolean beginning;

    /** @param store name for messages, e.g. {@code /data/events.db} */
    public StoreQueue(Vertx vertx, String store) {
        this(vertx, store, LONGEST_WAIT);
    }

    /** @param longestWait time limit for a request to begin, above zero; default 10 s */
    public StoreQueue(Vertx vertx, String store, Duration longestWait) {
        this(vertx, store, MOST_WAITING, longestWait, LONGEST_ANSWER);
    }

    StoreQueue(Vertx vertx, String store, int mostWaiting, Duration longestWait, Duration longestAnswer) {
        this.vertx = vertx;
        this.store = store;
        this.mostWaiting = mostWaiting;
        this.longestWait = longestWait;
        this.longestAnswer = longestAnswer;
    }

    /**
     * Executes work after all earlier work. Fails with {@link StoreUnavailableException}, without executing it, if too
     * many wait or it has waited too long; also if it takes too long.
     */
    public <T> Future<T> ask(Supplier<Future<T>> work) {
        if (busy && waiting.size() >= mostWaiting) {
            return Future.failedFuture(unavailable(mostWaiting + " requests wait already"));
        }
        Waiting<T> mine = new Waiting<>(work);
        waiting.add(mine);
        begin();
        if (!mine.begun) {
            mine.timer = vertx.setTimer(longestWait.toMillis(), due -> giveUp(mine));
        }
        return mine.answer.future();
    }

    private void giveUp(Waiting<?> late) {
        if (waiting.remove(late)) {
            late.answer.fail(unavailable("a request has waited " + longestWait.toMillis() + " ms for earlier ones"));
        } else {
            late.answer.tryFail(unavailable("no answer to a request after " + longestAnswer.toMillis() + " ms"));
        }
    }

    private StoreUnavailableException unavailable(String why) {
        return new StoreUnavailableException(store + " does not answer: " + why + ". Retry in a few seconds.", null);
    }

    /** Guards against recursion: work that fails at once completes before {@link Waiting#begin} returns. */
    private void begin() {
        if (beginning) {
            return;
        }
        beginning = true;
        try {
            while (!busy && !waiting.isEmpty()) {
                busy = true;
                waiting.remove().begin();
            }
        } finally {
            beginning = false;
        }
    }

    private final class Waiting<T> {
        private final Supplier<Future<T>> work;
        private final Promise<T> answer = Promise.promise();
        private boolean begun;
        private long timer = -1;

        private Waiting(Supplier<Future<T>> work) {
            this.work = work;
        }

        private void begin() {
            begun = true;
            if (timer >= 0) {
                vertx.cancelTimer(timer);
            }
            timer = vertx.setTimer(longestAnswer.toMillis(), due -> giveUp(this));
            Future.succeededFuture()
                    .compose(now -> work.get())
                    .onComplete(done -> {
                        vertx.cancelTimer(timer);
                        busy = false;
                        StoreQueue.this.begin();
                    })
                    .onComplete(answer::tryComplete, answer::tryFail);
        }
    }
}
