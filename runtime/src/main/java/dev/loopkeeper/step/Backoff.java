package dev.loopkeeper.step;

import dev.loopkeeper.manifest.BackoffSpec;
import java.time.Duration;
import java.util.Optional;

/** How long to wait before the next try. */
public final class Backoff {
    private static final double NANOS = 1e9;
    private static final double MOST_SPREAD_SECONDS = 3600;

    private Backoff() {}

    /**
     * The wait after this many failed tries, between zero and the spec's max and its jitter.
     *
     * @param tryNumber failed tries so far, from 1; less counts as 1
     * @param random 0 to 1; 0.5 is no jitter
     */
    public static Duration delay(BackoffSpec spec, int tryNumber, double random) {
        return grown(spec.initial(), spec, tryNumber, random);
    }

    /**
     * The wait after this error: backed off, from the kind's own default delay where the manifest leaves {@code initial}
     * at its default, and never shorter than what the error or the agent states. A usage window whose reset is known is
     * backed off from {@code initial}; a reset that the error's text states is followed by up to {@code jitter * max} (of
     * max at most an hour), so that not all runs begin at once.
     *
     * @param reset how long the usage window is still closed, as the agent's output states it
     * @param tryNumber failed tries so far, from 1; less counts as 1
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
