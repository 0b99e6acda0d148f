package dev.loopkeeper.store.postgres;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * Notifies of appends by other processes: on each database notification and, since those may be lost, every 250 ms.
 * Used on one context.
 */
final class PgTail {
    /** Notifications have no content; the row of {@code feed} has the last position. */
    static final String CHANNEL = "loopkeeper_feed";

    private static final Duration EVERY = Duration.ofMillis(250);

    private final Vertx vertx;
    private final PgSession writing;
    private Optional<Runnable> changed = Optional.empty();
    private long timer;

    /** @param reading listens for notifications and ignores those that {@code writing} caused */
    PgTail(Vertx vertx, PgSession reading, PgSession writing) {
        this.vertx = vertx;
        this.writing = writing;
        reading.listen(CHANNEL, notification -> notified(notification.getProcessId()));
    }

    private void notified(int pid) {
        if (!writing.isProcess(pid)) {
            poll();
        }
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
