package dev.loopkeeper.process;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * How long a step has run, and how long it has been idle, in time in which the machine and this runtime ran. Call
 * {@link #ran} at least once a second: a longer gap was a suspend or a standstill of this runtime, and is not counted. Used from one context only.
 */
final class RunningTime {
    /** The longest distance between two questions. */
    static final Duration EVERY = Duration.ofSeconds(1);

    /** A busy event loop may be this late without a standstill. */
    private static final Duration LATE = Duration.ofMillis(500);

    private final LongSupplier nanos;
    private long askedNanos;
    private Duration ran;
    private Instant changed;
    private Duration movedAt;
    private Duration lookedAt;

    /** @param before what an earlier runtime has counted */
    RunningTime(LongSupplier nanos, Counted before) {
        this.nanos = nanos;
        this.askedNanos = nanos.getAsLong();
        this.ran = before.ran();
        this.changed = before.changed();
        this.movedAt = before.movedAt();
        this.lookedAt = before.lookedAt();
    }

    /**
     * The times that were counted so far.
     *
     * @param changed the last change that a look has found, by the wall clock; the epoch before the first look
     * @param movedAt what {@code ran} was when that change happened
     * @param lookedAt what {@code ran} was at the last look
     */
    record Counted(Duration ran, Instant changed, Duration movedAt, Duration lookedAt) {
        static final Counted NOTHING = new Counted(Duration.ZERO, Instant.EPOCH, Duration.ZERO, Duration.ZERO);
    }

    /** Returns the counts at the last call of {@link #ran}. */
    Counted counted() {
        return new Counted(ran, changed, movedAt, lookedAt);
    }

    /** Returns the running time so far. */
    Duration ran() {
        long now = nanos.getAsLong();
        Duration passed = Duration.ofNanos(now - askedNanos);
        Duration most = EVERY.plus(LATE);
        ran = ran.plus(passed.compareTo(most) < 0 ? passed : most);
        askedNanos = now;
        return ran;
    }

    /** Begins a check now, by both clocks; pass it to {@link #idle} with its result. */
    Look look(Instant now) {
        return new Look(ran(), now);
    }

    /** The beginning of a check for changes. */
    record Look(Duration ran, Instant wall) {}

    /**
     * How long nothing had changed when this look began.
     *
     * @param found time of the last change, by the wall clock; compared in milliseconds, which a note keeps
     */
    Duration idle(Look look, Instant found) {
        Instant last = found.truncatedTo(ChronoUnit.MILLIS);
        if (!last.equals(changed)) {
            Duration since = Duration.between(last, look.wall());
            Duration most = look.ran().minus(lookedAt);
            Duration idle = since.isNegative() ? Duration.ZERO : since;
            changed = last;
            movedAt = look.ran().minus(idle.compareTo(most) < 0 ? idle : most);
        }
        lookedAt = look.ran();
        return look.ran().minus(movedAt);
    }
}
