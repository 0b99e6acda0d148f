package dev.loopkeeper.gateway.feed;

import java.time.Duration;

/**
 * Limits of the live feed.
 *
 * @param windowEvents how far a live client may fall behind, in events, 1 or more; default 4096
 * @param windowBytes the same in characters of encoded events, 1 or more; default 4 MiB
 * @param writeQueueBytes what waits in one client's socket before it counts as busy, 1 or more; default 256 KiB
 * @param pingEvery a client that was not heard of for two of these is dropped, or closed as too slow where much waits for
 *     it; above zero; default 30 s
 * @param closeGrace what a client that is closed may take to read what waits for it, above zero; default 2 min
 * @param snapshotRuns how many of the newest ended runs a snapshot holds beside the open ones, 0 to 1000; default 50
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

    /** Refuses limits that no client could live with. */
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
