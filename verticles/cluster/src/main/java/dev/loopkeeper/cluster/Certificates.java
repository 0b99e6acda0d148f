package dev.loopkeeper.cluster;

import java.time.Duration;
import java.time.Instant;

/** How long certificates last. */
public final class Certificates {
    /** Time for whoever has to sign another one. */
    private static final Duration SOON = Duration.ofDays(14);

    private Certificates() {}

    /**
     * Whether there is no need to renew it yet.
     *
     * @param whose e.g. {@code the database's certificate}
     * @param end until when it is valid
     */
    public static NodeCheck lasting(String whose, Instant end, Instant now) {
        Duration left = Duration.between(now, end);
        boolean lasts = left.compareTo(SOON) >= 0;
        String until = "until " + end + ", " + left.toDays() + " days from now";
        return NodeCheck.useful(
                whose + " lasts for a while",
                lasts,
                lasts ? until : until + ". Renew it: with an expired one no new connection is made");
    }
}
