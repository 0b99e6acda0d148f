package dev.loopkeeper.process.tree;

import io.vertx.core.Vertx;

/** Repeats a poll after pauses that double. Used from one context only. */
public final class PollTimer {
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final Runnable poll;
    private long pauseMillis;
    private long timer = NO_TIMER;

    public PollTimer(Vertx vertx, long firstPauseMillis, Runnable poll) {
        this.vertx = vertx;
        this.pauseMillis = firstPauseMillis;
        this.poll = poll;
    }

    /** Sets the next pause. */
    public void pause(long millis) {
        pauseMillis = millis;
    }

    /** Polls after the next pause, which doubles up to {@code longestMillis}. Replaces a pending poll. */
    public void start(long longestMillis) {
        startWithin(Long.MAX_VALUE, longestMillis);
    }

    /** Does the same, but polls after {@code mostMillis} at the latest. */
    void startWithin(long mostMillis, long longestMillis) {
        cancel();
        timer = vertx.setTimer(Math.min(pauseMillis, mostMillis), fired -> {
            timer = NO_TIMER;
            poll.run();
        });
        pauseMillis = Math.min(pauseMillis * 2, longestMillis);
    }

    public void cancel() {
        vertx.cancelTimer(timer);
        timer = NO_TIMER;
    }

    boolean isPending() {
        return timer != NO_TIMER;
    }
}
