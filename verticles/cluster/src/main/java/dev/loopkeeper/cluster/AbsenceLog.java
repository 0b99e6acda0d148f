package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import java.time.Duration;
import java.util.Optional;

/**
 * What is told of an absence of the database, which is asked several times a second: how it begins, then not more than one
 * line a minute, and how it ends. One thread.
 */
final class AbsenceLog {
    private static final Duration EACH = Duration.ofMinutes(1);

    private Optional<BootTime> since = Optional.empty();
    private BootTime told = new BootTime(0);
    private long unanswered;

    /**
     * A question had no answer; what is to be told now.
     *
     * @param what a sentence with the reason, e.g. {@code the lease was not renewed: db does not answer}
     */
    Optional<String> unanswered(BootTime at, String what) {
        unanswered++;
        if (since.isEmpty()) {
            since = Optional.of(at);
            told = at;
            return Optional.of(what + "; it is asked again and again, and this is told once a minute");
        }
        if (at.since(told).compareTo(EACH) < 0) {
            return Optional.empty();
        }
        told = at;
        return Optional.of(what + "; " + count(at));
    }

    /** A question had an answer; what is to be told now. */
    Optional<String> answered(BootTime at) {
        Optional<String> over = since.map(begun -> "the database answers again; " + count(at));
        since = Optional.empty();
        unanswered = 0;
        return over;
    }

    private String count(BootTime at) {
        return unanswered + (unanswered == 1 ? " question" : " questions") + " without an answer in "
                + at.since(since.orElse(at)).toSeconds() + " s";
    }
}
