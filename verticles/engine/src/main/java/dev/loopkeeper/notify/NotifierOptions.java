package dev.loopkeeper.notify;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Configures the delivery of notifications.
 *
 * @param data the data folder, absolute; contains the {@code notify.log} of each run
 * @param timeout for one webhook request, above zero; default 10 s
 * @param attempts how often a webhook is attempted
 * @param commandLimit time after which a command is killed; default 30 s
 * @param farewell how long a shutdown waits for deliveries in progress, and then for the store; default 5 s
 * @param publicUrl dashboard URL for links in messages; absent by default
 * @param spacing between two messages of a run about events of one kind, in a chat; default 1 min
 */
public record NotifierOptions(
        Path data,
        Duration timeout,
        Attempts attempts,
        Duration commandLimit,
        Duration farewell,
        Optional<String> publicUrl,
        Duration spacing) {
    private static final Duration SPACING = Duration.ofMinutes(1);
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /**
     * The attempts of a delivery.
     *
     * @param most in total, at least 1; default 8
     * @param firstDelay pause before the second attempt, doubled for each further one; default 1 s
     * @param longestDelay limit of the doubled pause; default 1 min
     */
    record Attempts(int most, Duration firstDelay, Duration longestDelay) {
        static final Attempts DEFAULTS = new Attempts(8, Duration.ofSeconds(1), Duration.ofMinutes(1));

        /** Refuses pauses of zero or less, and fewer than one attempt. */
        Attempts {
            if (most < 1) {
                throw new IllegalArgumentException("attempts must be 1 or more, was " + most);
            }
            requirePositive("firstDelay", firstDelay);
            requirePositive("longestDelay", longestDelay);
        }

        /** Returns the pause after this number of failed attempts. */
        Duration delayAfter(int failed) {
            long doubled = firstDelay.toMillis() << Math.min(failed - 1, 20);
            return Duration.ofMillis(Math.min(doubled, longestDelay.toMillis()));
        }
    }

    /** Creates options without links. */
    NotifierOptions(Path data, Duration timeout, Attempts attempts, Duration commandLimit) {
        this(data, timeout, attempts, commandLimit, FAREWELL, Optional.empty(), SPACING);
    }

    /** Refuses a relative folder, and durations of zero or less. */
    public NotifierOptions {
        if (!data.isAbsolute()) {
            throw new IllegalArgumentException("data must be an absolute path, was " + data);
        }
        requirePositive("timeout", timeout);
        requirePositive("commandLimit", commandLimit);
        requirePositive("farewell", farewell);
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException(name + " must be > 0, was " + duration);
        }
    }

    /** Returns the defaults for this data folder. */
    public static NotifierOptions of(Path data) {
        return new NotifierOptions(
                data.toAbsolutePath().normalize(), Duration.ofSeconds(10), Attempts.DEFAULTS, Duration.ofSeconds(30));
    }

    /** Sets the dashboard URL for links, if any. */
    public NotifierOptions linking(Optional<String> url) {
        return new NotifierOptions(data, timeout, attempts, commandLimit, farewell, url, spacing);
    }

    /** Returns the URL of the page that answers a pause or an ask; its fragment stays in the browser. */
    Optional<String> answer(String token) {
        return link("answer#" + token);
    }

    /** Returns the URL of a run's page. */
    Optional<String> page(String runId) {
        return link("#/runs/" + runId);
    }

    /** Returns the URL of this path below the public one. */
    Optional<String> link(String path) {
        return publicUrl.map(url -> url + (url.endsWith("/") ? "" : "/") + path);
    }
}
