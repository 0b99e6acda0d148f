package dev.loopkeeper.ownership;

import java.time.Duration;

/**
 * The timing of a node's lease. All times derive from one, so none contradicts another. A node ends its processes
 * ({@link #stopAfter} and {@link #GRACE}) at least {@link #MARGIN} before another node may take over its runs ({@code
 * lease}). This holds even when both clocks are wrong by one percent.
 *
 * @param lease how long other nodes must see no heartbeat of this node, from 6 s to 5 min; default 8 s. A longer lease
 * survives longer outages of the database and delays takeovers
 */
public record LeaseTerms(Duration lease) {
    /** From TERM to KILL when a lease expires; a longer {@code stop.grace} of a manifest does not apply. */
    public static final Duration GRACE = Duration.ofMillis(1500);

    /** The least time between the end of the former owner's processes and the next owner. */
    public static final Duration MARGIN = Duration.ofMillis(500);

    /** Timeout of a database request; then the connection is closed and replaced. */
    public static final Duration ANSWER = Duration.ofMillis(1500);

    /** Delay after an unanswered request. */
    public static final Duration RETRY = Duration.ofMillis(250);

    /** Interval at which a node checks the heartbeats of other nodes. */
    public static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    /** Interval at which the warden checks the deadline. */
    public static final Duration WARDEN_INTERVAL = Duration.ofMillis(100);

    /** Time for which a dead warden may be missing before its node ends its processes. */
    public static final Duration WITHOUT_WARDEN = Duration.ofSeconds(1);

    private static final Duration SHORTEST = Duration.ofSeconds(6);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** A lease of 8 s: renewed every 2 s; processes end after 5 s without renewal. */
    public static final LeaseTerms DEFAULTS = new LeaseTerms(Duration.ofSeconds(8));

    /** Refuses a lease outside 6 s to 5 min with {@link IllegalArgumentException}. */
    public LeaseTerms {
        if (lease.compareTo(SHORTEST) < 0 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("lease must be from 6s to 5m, was " + lease.toMillis() + "ms");
        }
    }

    /** From one renewal to the next: a quarter of the lease. */
    public Duration renew() {
        return Duration.ofMillis(lease.toMillis() / 4);
    }

    /** From the time before the last answered renewal to the end of the processes: 5/8 of the lease. */
    public Duration stopAfter() {
        return Duration.ofMillis(lease.toMillis() * 5 / 8);
    }

    /** The part of {@link #stopAfter} that must remain for a launch: a quarter of the lease. */
    public Duration reserve() {
        return Duration.ofMillis(lease.toMillis() / 4);
    }
}
