package dev.loopkeeper.work;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The wall clock, but never going back while the process lives: after a jump backwards it goes on from where it was, at
 * the pace of the monotonic clock. Events keep their order, and what waits for a time does not wait for it again. A jump
 * forwards is followed, since reset times of providers are times of the wall clock. Any thread.
 */
final class SteadyClock {
    private final InstantSource wall;
    private final LongSupplier nanos;
    private Instant base;
    private long baseNanos;

    SteadyClock(InstantSource wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
        this.base = wall.instant();
        this.baseNanos = nanos.getAsLong();
    }

    synchronized Instant now() {
        long monotonic = nanos.getAsLong();
        Instant steady = base.plusNanos(monotonic - baseNanos);
        Instant shown = wall.instant();
        if (shown.isBefore(steady)) {
            return steady;
        }
        base = shown;
        baseNanos = monotonic;
        return shown;
    }
}
