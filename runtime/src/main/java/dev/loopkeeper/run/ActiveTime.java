package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The active time of a run over all its executions: not queued, paused, waiting or ended.
 *
 * @param millis of the ended periods
 * @param since when the current period began; absent while the run is inactive
 * @param seen time of the newest event in the current period: a runtime worked on the run until then at least
 */
public record ActiveTime(
        long millis,
        Optional<Instant> since,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Instant> seen) {
    static final ActiveTime NONE = new ActiveTime(0, Optional.empty());

    public ActiveTime(long millis, Optional<Instant> since) {
        this(millis, since, since);
    }

    public long until(Instant now) {
        return millis + since.map(begin -> millisBetween(begin, now)).orElse(0L);
    }

    /** The time since the newest event; 0 while the run is inactive. */
    public long unseenMillis(Instant now) {
        return seen.map(last -> millisBetween(last, now)).orElse(0L);
    }

    private static long millisBetween(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis());
    }

    /** A copy that does not count the time between these two. */
    ActiveTime without(Instant from, Instant to) {
        return since.isPresent() ? new ActiveTime(until(from), Optional.of(to)) : this;
    }

    /** A copy after an event at this time, which left the run with this status. */
    ActiveTime at(Instant now, RunStatus status) {
        boolean active = status == RunStatus.RUNNING || status == RunStatus.STOPPING;
        if (active) {
            return new ActiveTime(millis, since.or(() -> Optional.of(now)), Optional.of(now));
        }
        return since.isPresent() ? new ActiveTime(until(now), Optional.empty()) : this;
    }
}
