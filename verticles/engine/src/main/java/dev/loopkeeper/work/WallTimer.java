package dev.loopkeeper.work;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Runs an action at a wall-clock time; checks the clock at least every minute, because a timer of the event loop counts
 * no time in which the machine was suspended and ignores changes of the clock. Used from one context only.
 */
public final class WallTimer {
    private static final Duration LONGEST_TIMER = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final InstantSource clock;
    private final Duration longest;
    private final Instant due;
    private final Runnable work;
    private long timer;

    /** @param longest how long the clock is not read */
    WallTimer(Vertx vertx, InstantSource clock, Duration longest, Instant due, Runnable work) {
        this.vertx = vertx;
        this.clock = clock;
        this.longest = longest;
        this.due = due;
        this.work = work;
        arm();
    }

    /** Runs this once, at that time or, where that has passed, as soon as possible. */
    public static WallTimer at(Vertx vertx, Instant due, Runnable work) {
        return new WallTimer(vertx, Instants::now, LONGEST_TIMER, due, work);
    }

    /** Cancels the timer. */
    public void cancel() {
        vertx.cancelTimer(timer);
    }

    private void arm() {
        Duration left = Duration.between(clock.instant(), due);
        long millis = left.compareTo(longest) > 0 ? longest.toMillis() : left.toMillis() + 1;
        timer = vertx.setTimer(Math.max(1, millis), fired -> look());
    }

    private void look() {
        if (clock.instant().isBefore(due)) {
            arm();
        } else {
            work.run();
        }
    }
}
