package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits log lines while the database does not answer: one when the outage begins, then one a minute, and one when it
 * ends. Used on one thread.
 */
final class DatabaseOutageLog {
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private Optional<BootTime> since = Optional.empty();
    private BootTime loggedAt = new BootTime(0);
    private long unanswered;

    /**
     * Records a query without an answer and returns the line to log, if any.
     *
     * @param what a sentence with the reason, e.g. {@code the lease was not renewed: db does not answer}
     */
    Optional<String> unanswered(BootTime at, String what) {
        unanswered++;
        if (since.isEmpty()) {
            since = Optional.of(at);
            loggedAt = at;
            return Optional.of(what + "; the node retries and logs this once a minute");
        }
        if (at.since(loggedAt).compareTo(LOG_INTERVAL) < 0) {
            return Optional.empty();
        }
        loggedAt = at;
        return Optional.of(what + "; " + count(at));
    }

    /** Records an answered query and returns the line to log, if any. */
    Optional<String> answered(BootTime at) {
        Optional<String> end = since.map(begun -> "the database answers again; " + count(at));
        since = Optional.empty();
        unanswered = 0;
        return end;
    }

    private String count(BootTime at) {
        return unanswered + (unanswered == 1 ? " query" : " queries") + " without an answer in "
                + at.since(since.orElse(at)).toSeconds() + " s";
    }
}
