package dev.loopkeeper.step;

import dev.loopkeeper.manifest.BackoffSpec;
import java.time.Duration;
import java.util.Optional;

/** Computes the delay before the next attempt. */
public final class Backoff {
    private static final double NANOS = 1e9;
    private static final double MOST_SPREAD_SECONDS = 3600;

    private Backoff() {}

    /**
     * Returns the delay after failed attempts: zero up to the spec's maximum plus jitter.
     *
     * @param tryNumber failed attempts so far, from 1; a smaller number is treated as 1
     * @param random 0 to 1; 0.5 is no jitter
     */
    public static Duration delay(BackoffSpec spec, int tryNumber, double random) {
        return grown(spec.initial(), spec, tryNumber, random);
    }

    /**
     * Returns the delay after this error: exponential, and never shorter than the delay that the error or the agent
     * states. When the manifest leaves {@code initial} at its default, it begins with the kind's own delay. A usage
     * window with a known reset begins with {@code initial}. A reset stated in the error's text is followed by up to
     * {@code jitter * max} (of max at most an hour), to spread the runs.
     *
     * @param reset how long the usage window stays closed, as the agent's output states it
     * @param tryNumber failed attempts so far, from 1; a smaller number is treated as 1
     * @param random 0 to 1
     */
    public static Duration delay(
            BackoffSpec spec, ErrorContext error, Optional<Duration> reset, int tryNumber, double random) {
        Optional<ErrorKind> kind = ErrorKind.of(error.kind());
        boolean window = kind.equals(Optional.of(ErrorKind.USAGE_WINDOW));
        Optional<Duration> stated =
                reset.or(() -> error.statedDelay().map(said -> window ? said.plus(spread(spec, random)) : said));
        boolean untouched = spec.initial().equals(BackoffSpec.DEFAULTS.initial());
        Duration initial = kind.filter(known -> untouched && known.isTransient() && !(window && stated.isPresent()))
                .map(ErrorKind::defaultDelay)
                .orElse(spec.initial());
        Duration own = grown(initial, spec, tryNumber, random);
        return stated.filter(least -> least.compareTo(own) > 0).orElse(own);
    }

    private static Duration grown(Duration initial, BackoffSpec spec, int tryNumber, double random) {
        double first = seconds(initial);
        if (first <= 0) {
            return Duration.ZERO;
        }
        double factor = Math.max(1, spec.factor());
        double grown = first * Math.pow(factor, Math.max(1, tryNumber) - 1.0);
        double jitter = 1 + share(spec.jitter()) * (2 * share(random) - 1);
        return ofSeconds(Math.min(grown, seconds(spec.max())) * jitter);
    }

    private static Duration spread(BackoffSpec spec, double random) {
        return ofSeconds(Math.min(MOST_SPREAD_SECONDS, seconds(spec.max())) * share(spec.jitter()) * share(random));
    }

    private static double share(double value) {
        return Math.max(0, Math.min(1, value));
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / NANOS;
    }

    private static Duration ofSeconds(double seconds) {
        double whole = Math.floor(Math.max(0, seconds));
        long millis = Math.round((Math.max(0, seconds) - whole) * 1000);
        return Duration.ofSeconds((long) whole, millis * 1_000_000);
    }
}
