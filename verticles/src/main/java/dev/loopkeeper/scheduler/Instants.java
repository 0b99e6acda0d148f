package dev.loopkeeper.scheduler;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** The clock of the runs, in milliseconds: what is written is what was decided with. */
final class Instants {
    private static final SteadyClock CLOCK = new SteadyClock(InstantSource.system(), System::nanoTime);

    private Instants() {}

    static Instant now() {
        return CLOCK.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
