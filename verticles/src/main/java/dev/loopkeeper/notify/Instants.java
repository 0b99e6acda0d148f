package dev.loopkeeper.notify;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock. */
final class Instants {
    private Instants() {}

    /** To the millisecond, as everything that is recorded. */
    static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
