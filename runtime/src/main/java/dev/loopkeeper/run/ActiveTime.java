package dev.loopkeeper.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a run has been under way in all of its executions: neither queued, paused, waiting nor over.
 *
 * @param millis of the stretches that are over
 * @param since when the present stretch began; absent while the run is not under way
 */
public record ActiveTime(long millis, Optional<Instant> since) {
    static final ActiveTime NONE = new ActiveTime(0, Optional.empty());

    /** All of it until now. */
    public long until(Instant now) {
        return millis
                + since.map(begin -> Math.max(0, Duration.between(begin, now).toMillis()))
                        .orElse(0L);
    }

    ActiveTime at(Instant now, RunStatus status) {
        boolean active = status == RunStatus.RUNNING || status == RunStatus.STOPPING;
        if (active == since.isPresent()) {
            return this;
        }
        return active ? new ActiveTime(millis, Optional.of(now)) : new ActiveTime(until(now), Optional.empty());
    }
}
