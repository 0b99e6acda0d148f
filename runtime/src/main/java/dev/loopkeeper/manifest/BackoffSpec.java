package dev.loopkeeper.manifest;

import java.time.Duration;

/**
 * Defines growing delays between attempts: {@code initial * factor^n}, at most {@code max}, each varied by up to {@code
 * jitter}.
 *
 * @param initial zero or more; at the default of 1 s, each kind of error begins with its own delay
 * @param factor 1 or more
 * @param jitter share of the delay, 0 to 1
 */
public record BackoffSpec(Duration initial, double factor, Duration max, double jitter) {
    /** 1 s, doubled up to 5 min, 20 % jitter. */
    public static final BackoffSpec DEFAULTS = new BackoffSpec(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2);

    /** The same delays, not varied. */
    public BackoffSpec steady() {
        return new BackoffSpec(initial, factor, max, 0);
    }
}
