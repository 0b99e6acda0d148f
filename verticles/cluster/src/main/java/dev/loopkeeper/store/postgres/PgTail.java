package dev.loopkeeper.store.postgres;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells when others may have appended. A notification comes with each commit and may be lost with its connection, so it is
 * a hint: without one there is a look every 250 ms all the same. On one context.
 */
final class PgTail {
    /** Without content: where the feed ends the position row tells. */
    static final String CHANNEL = "loopkeeper_feed";

    private static final Duration EVERY = Duration.ofMillis(250);

    private final Vertx vertx;
    private final PgSession writing;
    private Optional<Runnable> changed = Optional.empty();
    private long timer;

    /** @param reading hears the hints, of which those of {@code writing} are our own */
    PgTail(Vertx vertx, PgSession reading, PgSession writing) {
        this.vertx = vertx;
        this.writing = writing;
        reading.hear(CHANNEL, hint -> heard(hint.getProcessId()));
    }

    private void heard(int pid) {
        if (!writing.isProcess(pid)) {
            look();
        }
    }

    /** Others may have appended. */
    void look() {
        changed.ifPresent(Runnable::run);
    }

    /** In place of the watch before. */
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
