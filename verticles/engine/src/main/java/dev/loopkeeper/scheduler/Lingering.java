package dev.loopkeeper.scheduler;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Detects an agent that reported its final success but neither exits nor prints nor changes its workspace. Blocking. */
final class Lingering {
    /** Agents write their own records, and run hooks of their users, after their final output. */
    private static final Duration SHORTEST = Duration.ofSeconds(30);

    /** Finds the last change of the workspace. */
    interface Changes {
        Instant last() throws IOException;
    }

    private final Duration limit;
    private final Clock clock;
    private final Changes changes;
    private long printed = -1;
    private long sinceNanos;

    /** @param idleTimeout the agent's own limit: it never lingers before */
    Lingering(Optional<Duration> idleTimeout, Clock clock, Changes changes) {
        this.limit = idleTimeout.filter(own -> own.compareTo(SHORTEST) > 0).orElse(SHORTEST);
        this.clock = clock;
        this.changes = changes;
    }

    Duration limit() {
        return limit;
    }

    /**
     * Takes the newest reading of the output.
     *
     * @param succeeded whether the last record is a final one of success
     * @param size bytes printed so far
     */
    boolean isTooLong(boolean succeeded, long size, long nowNanos) {
        if (!succeeded || size != printed) {
            printed = succeeded ? size : -1;
            sinceNanos = nowNanos;
        }
        if (!succeeded || nowNanos - sinceNanos < limit.toNanos()) {
            return false;
        }
        Duration unchanged = unchanged();
        if (unchanged.compareTo(limit) < 0) {
            sinceNanos = nowNanos - unchanged.toNanos();
            return false;
        }
        return true;
    }

    /** A workspace that cannot be read, or changed in the future, changed just now. */
    private Duration unchanged() {
        try {
            Duration unchanged = Duration.between(changes.last(), clock.instant());
            return unchanged.isNegative() ? Duration.ZERO : unchanged;
        } catch (IOException unknown) {
            return Duration.ZERO;
        }
    }
}
