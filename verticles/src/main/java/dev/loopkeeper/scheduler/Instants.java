package dev.loopkeeper.scheduler;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock of the runs, in milliseconds: what is written is what was decided with. */
final class Instants {
    private Instants() {}

    static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
