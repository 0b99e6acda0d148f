package dev.loopkeeper.gateway.feed;

import java.time.Duration;

/**
 * Limits of the live feed.
 *
 * @param windowEvents events by which a live client may be behind, 1 or more; default 4096
 * @param windowBytes the same in characters of encoded events, 1 or more; default 4 MiB
 * @param writeQueueBytes unsent bytes from which a client's sink is full, 1 or more; default 256 KiB
 * @param pingEvery interval of pings, above zero; default 30 s. A client that does not respond to two pings is dropped,
 *     or closed as too slow if much is unread
 * @param closeGrace time for a closed client to read the rest, above zero; default 2 min
 * @param snapshotRuns newest ended runs in a snapshot beside the open ones, 0 to 1000; default 50
 */
public record FeedOptions(
        int windowEvents,
        int windowBytes,
        int writeQueueBytes,
        Duration pingEvery,
        Duration closeGrace,
        int snapshotRuns) {
    /** 4096 events, 4 MiB, 256 KiB, 30 s, 2 min, 50 runs. */
    public static final FeedOptions DEFAULTS =
            new FeedOptions(4096, 4 << 20, 256 << 10, Duration.ofSeconds(30), Duration.ofMinutes(2), 50);

    /** Fails for limits outside these ranges. */
    public FeedOptions {
        requireAtLeastOne("windowEvents", windowEvents);
        requireAtLeastOne("windowBytes", windowBytes);
        requireAtLeastOne("writeQueueBytes", writeQueueBytes);
        requireAtLeastOne("pingEvery in ms", pingEvery.toMillis());
        requireAtLeastOne("closeGrace in ms", closeGrace.toMillis());
        if (snapshotRuns < 0 || snapshotRuns > 1000) {
            throw new IllegalArgumentException("snapshotRuns must be 0 to 1000, was " + snapshotRuns);
        }
    }

    private static void requireAtLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be > 0, was " + value);
        }
    }
}
