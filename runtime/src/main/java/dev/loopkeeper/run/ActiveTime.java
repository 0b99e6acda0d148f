package dev.loopkeeper.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The active time of a run over all its executions: not queued, paused, waiting or ended.
 *
 * @param millis of the ended periods
 * @param since when the current period began; absent while the run is inactive
 */
public record ActiveTime(long millis, Optional<Instant> since) {
    static final ActiveTime NONE = new ActiveTime(0, Optional.empty());

    public long until(Instant now) {
        return millis
                + since.map(begin -> Math.max(0, Duration.between(begin, now).toMillis()))
                        .orElse(0L);
    }

    /** Without the time between these two. */
    ActiveTime without(Instant from, Instant to) {
        return since.isPresent() ? new ActiveTime(until(from), Optional.of(to)) : this;
    }

    ActiveTime at(Instant now, RunStatus status) {
        boolean active = status == RunStatus.RUNNING || status == RunStatus.STOPPING;
        if (active == since.isPresent()) {
            return this;
        }
        return active ? new ActiveTime(millis, Optional.of(now)) : new ActiveTime(until(now), Optional.empty());
    }
}
