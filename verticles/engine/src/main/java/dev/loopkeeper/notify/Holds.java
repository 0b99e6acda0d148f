package dev.loopkeeper.notify;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What must not be sent before some time. Used from one context only. */
final class Holds {
    private final InstantSource clock;
    private final Map<String, Instant> ends = new HashMap<>();

    Holds(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns the remaining time, above zero; empty if the key is free. */
    Optional<Duration> left(String key) {
        return Optional.ofNullable(ends.get(key))
                .map(end -> Duration.between(clock.instant(), end))
                .filter(left -> left.compareTo(Duration.ZERO) > 0);
    }

    /** Holds the key for this time, and forgets those that are free. */
    void hold(String key, Duration time) {
        Instant now = clock.instant();
        ends.values().removeIf(end -> !end.isAfter(now));
        if (!time.isZero()) {
            ends.merge(key, now.plus(time), (before, after) -> before.isAfter(after) ? before : after);
        }
    }
}
