package dev.loopkeeper.notify;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How notifications are delivered.
 *
 * @param data the data folder, absolute; the runs' {@code notify.log} lie in it
 * @param timeout for one try of a webhook, above zero; default 10 s
 * @param tries how often a webhook is tried in all, at least 1; default 8
 * @param firstDelay before the second try, doubling with each further one; default 1 s
 * @param longestDelay the most that doubling leads to; default 1 min
 * @param commandLimit after which a command is killed; default 30 s
 * @param farewell how long an ending process waits for deliveries that have begun, and again for the store; default 5 s
 * @param publicUrl where people reach the dashboard, for the links of messages; absent by default
 */
public record NotifierOptions(
        Path data,
        Duration timeout,
        int tries,
        Duration firstDelay,
        Duration longestDelay,
        Duration commandLimit,
        Duration farewell,
        Optional<String> publicUrl) {
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /** Without links. */
    NotifierOptions(
            Path data, Duration timeout, int tries, Duration firstDelay, Duration longestDelay, Duration commandLimit) {
        this(data, timeout, tries, firstDelay, longestDelay, commandLimit, FAREWELL, Optional.empty());
    }

    /** Refuses a relative folder, durations of zero or less, and no try at all. */
    public NotifierOptions {
        if (!data.isAbsolute()) {
            throw new IllegalArgumentException("data must be an absolute path, was " + data);
        }
        if (tries < 1) {
            throw new IllegalArgumentException("tries must be 1 or more, was " + tries);
        }
        requirePositive("timeout", timeout);
        requirePositive("firstDelay", firstDelay);
        requirePositive("longestDelay", longestDelay);
        requirePositive("commandLimit", commandLimit);
        requirePositive("farewell", farewell);
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException(name + " must be > 0, was " + duration);
        }
    }

    /** The defaults, for this data folder. */
    public static NotifierOptions of(Path data) {
        return new NotifierOptions(
                data.toAbsolutePath().normalize(),
                Duration.ofSeconds(10),
                8,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofSeconds(30));
    }

    /** The same with links that lead there, if anywhere. */
    public NotifierOptions linking(Optional<String> url) {
        return new NotifierOptions(data, timeout, tries, firstDelay, longestDelay, commandLimit, farewell, url);
    }

    /** The same with another farewell. */
    NotifierOptions leaving(Duration within) {
        return new NotifierOptions(data, timeout, tries, firstDelay, longestDelay, commandLimit, within, publicUrl);
    }

    /** The address of a run's page. */
    Optional<String> page(String runId) {
        return publicUrl.map(url -> url + (url.endsWith("/") ? "" : "/") + "#/runs/" + runId);
    }

    /** How long to wait after so many failed tries. */
    Duration delayAfter(int failed) {
        long doubled = firstDelay.toMillis() << Math.min(failed - 1, 20);
        return Duration.ofMillis(Math.min(doubled, longestDelay.toMillis()));
    }
}
