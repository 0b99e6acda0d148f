package dev.loopkeeper.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Asks a store for one thing after the other. What waits is limited in number and in time, so that a store that hangs is
 * reported to every caller soon, and is never asked for what its caller has given up. Used from one context only.
 */
public final class StoreQueue {
    /** More than a start, which loads a page of runs at once, and the busiest server need. */
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

    /** @param store names it in messages, e.g. {@code /data/events.db} */
    public StoreQueue(Vertx vertx, String store) {
        this(vertx, store, LONGEST_WAIT);
    }

    /** @param longestWait for a question to begin, above zero; default 10 s */
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
     * Does this when all that was asked for before is over. Fails with {@link StoreUnavailableException} where too many wait
     * already or it has waited too long, and then it is never begun; or where it takes too long itself.
     */
    public <T> Future<T> ask(Supplier<Future<T>> work) {
        if (busy && waiting.size() >= mostWaiting) {
            return Future.failedFuture(away(mostWaiting + " questions wait for it already"));
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
            late.answer.fail(away("a question has waited " + longestWait.toMillis() + " ms for others to be answered"));
        } else {
            late.answer.tryFail(away("a question has no answer after " + longestAnswer.toMillis() + " ms"));
        }
    }

    private StoreUnavailableException away(String why) {
        return new StoreUnavailableException(
                store + " does not answer: " + why + ". Ask again in a few seconds.", null);
    }

    /** What fails at once is over before its beginning has returned. */
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
                    .onComplete(over -> {
                        vertx.cancelTimer(timer);
                        busy = false;
                        StoreQueue.this.begin();
                    })
                    .onComplete(answer::tryComplete, answer::tryFail);
        }
    }
}
