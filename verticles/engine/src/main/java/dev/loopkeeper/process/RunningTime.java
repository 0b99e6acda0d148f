package dev.loopkeeper.process;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * How long a step has run, and how long it has been idle, in time in which the machine and this runtime ran. It is asked
 * at least once each second: what passes between two questions beyond that was a suspend, which the monotonic clock does
 * not count either, or a standstill of this runtime. Used from one context only.
 */
final class RunningTime {
    /** The longest distance between two questions. */
    static final Duration EVERY = Duration.ofSeconds(1);

    /** A busy event loop is late: so much later is no standstill. */
    private static final Duration LATE = Duration.ofMillis(500);

    private final LongSupplier nanos;
    private long askedNanos;
    private Duration ran;
    private Instant changed = Instant.EPOCH;
    /** What {@link #ran} was when the last change happened. */
    private Duration movedAt;

    /** When {@link #changed} was last compared. */
    private Duration lookedAt;

    /** @param before what an earlier runtime has counted */
    RunningTime(LongSupplier nanos, Duration before) {
        this.nanos = nanos;
        this.askedNanos = nanos.getAsLong();
        this.ran = before;
        this.movedAt = before;
        this.lookedAt = before;
    }

    /** So far. */
    Duration ran() {
        long now = nanos.getAsLong();
        Duration passed = Duration.ofNanos(now - askedNanos);
        Duration most = EVERY.plus(LATE);
        ran = ran.plus(passed.compareTo(most) < 0 ? passed : most);
        askedNanos = now;
        return ran;
    }

    /** A look that began now, by both clocks; give it to {@link #idle} with what it found. */
    Look look(Instant now) {
        return new Look(ran(), now);
    }

    /** The beginning of a check for changes. */
    record Look(Duration ran, Instant wall) {}

    /**
     * How long nothing had changed when this look began.
     *
     * @param found time of the last change, by the wall clock
     */
    Duration idle(Look look, Instant found) {
        if (!found.equals(changed)) {
            Duration since = Duration.between(found, look.wall());
            Duration most = look.ran().minus(lookedAt);
            Duration idle = since.isNegative() ? Duration.ZERO : since;
            changed = found;
            movedAt = look.ran().minus(idle.compareTo(most) < 0 ? idle : most);
        }
        lookedAt = look.ran();
        return look.ran().minus(movedAt);
    }
}
