package dev.loopkeeper.ownership;

import java.time.Duration;

/**
 * The times of one node. All follow from one, so that none can contradict another: a node has ended its processes ({@link #stopAfter} and {@link #GRACE}) at least {@link #MARGIN} before anybody
 * may take its runs over ({@code lease}), also when the clocks of both go wrong by one in a hundred.
 *
 * @param lease how long the others must have seen no new beat of this node, from 6 s to 5 min; default 8 s. Longer rides out
 *     a longer absence of the database, and runs are taken over later
 */
public record LeaseTerms(Duration lease) {
    /** From TERM to KILL when a lease is over; a longer {@code stop.grace} of a manifest does not count then. */
    public static final Duration GRACE = Duration.ofMillis(1500);

    /** What must be left between the last process of the former owner and the next owner. */
    public static final Duration MARGIN = Duration.ofMillis(500);

    /** How long an answer of the database is waited for; then the connection is given up and made anew. */
    public static final Duration ANSWER = Duration.ofMillis(1500);

    /** After a question without an answer, the next. */
    public static final Duration RETRY = Duration.ofMillis(250);

    /** How often a node looks at the beats of the others. */
    public static final Duration LOOK = Duration.ofMillis(500);

    /** How often the warden looks at the deadline. */
    public static final Duration WARDEN_LOOK = Duration.ofMillis(100);

    /** How long a warden that died may be missing before its node ends its processes. */
    public static final Duration WITHOUT_WARDEN = Duration.ofSeconds(1);

    private static final Duration SHORTEST = Duration.ofSeconds(6);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** A lease of 8 s: renewed every 2 s, processes ended from 5 s on. */
    public static final LeaseTerms DEFAULTS = new LeaseTerms(Duration.ofSeconds(8));

    /** Refuses, with {@link IllegalArgumentException}, a lease that is too short for the grace, or above 5 min. */
    public LeaseTerms {
        if (lease.compareTo(SHORTEST) < 0 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("lease must be from 6s to 5m, was " + lease.toMillis() + "ms");
        }
    }

    /** From one renewal to the next: a quarter of the lease. */
    public Duration renew() {
        return Duration.ofMillis(lease.toMillis() / 4);
    }

    /** From the moment before the last renewal that was answered to the end of the processes: 5/8 of the lease. */
    public Duration stopAfter() {
        return Duration.ofMillis(lease.toMillis() * 5 / 8);
    }

    /** What must be left of {@link #stopAfter} for something new to be launched: a quarter of the lease. */
    public Duration reserve() {
        return Duration.ofMillis(lease.toMillis() / 4);
    }
}
