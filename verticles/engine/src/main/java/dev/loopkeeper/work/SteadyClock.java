package dev.loopkeeper.work;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A wall clock that never goes back while the process lives. After a jump backwards it continues at the pace of the
 * monotonic clock, so events keep their order and no wait is repeated. It follows a jump forwards, since providers state
 * reset times of the wall clock. Thread-safe.
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
