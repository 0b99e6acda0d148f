package dev.loopkeeper.work;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** The clock of all recorded times, in milliseconds, so that a stored time equals the time of its decision. */
public final class Instants {
    private static final SteadyClock CLOCK = new SteadyClock(InstantSource.system(), System::nanoTime);

    private Instants() {}

    /** The time now, to the millisecond, as everything that is recorded; never before an earlier answer. */
    public static Instant now() {
        return CLOCK.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
