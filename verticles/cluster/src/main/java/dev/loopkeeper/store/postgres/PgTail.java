package dev.loopkeeper.store.postgres;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * Notifies of appends by other processes: on each hint of another node, and every 250 ms. Used on
 * one context.
 */
final class PgTail {
    private static final Duration EVERY = Duration.ofMillis(250);

    private final Vertx vertx;
    private Optional<Runnable> changed = Optional.empty();
    private long timer;

    PgTail(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Calls the watch, since other processes may have appended. */
    void poll() {
        changed.ifPresent(Runnable::run);
    }

    /** Replaces the former watch. */
    void begin(Runnable watch) {
        end();
        changed = Optional.of(watch);
        timer = vertx.setPeriodic(EVERY.toMillis(), now -> watch.run());
    }

    void end() {
        if (changed.isPresent()) {
            vertx.cancelTimer(timer);
            changed = Optional.empty();
        }
    }
}
