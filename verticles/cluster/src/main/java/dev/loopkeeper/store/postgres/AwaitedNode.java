package dev.loopkeeper.store.postgres;

import java.time.Duration;

/** Names the node that an open run without an owner waits for, because no other node has its workspace. */
final class AwaitedNode {
    /**
     * SQL expression for a row of {@code runs}: state of the node, milliseconds since its last beat, and name. Reads
     * {@code root 0 PATH} if no live node has the run's shared folder; null if the run waits for no node.
     */
    static final String COLUMN = "CASE WHEN owner IS NULL AND status NOT IN ('completed', 'stopped', 'failed') THEN"
            + " CASE WHEN placement LIKE 'node:%' THEN (SELECT n.state || ' '"
            + " || greatest(0, (extract(epoch FROM clock_timestamp() - n.beat_at) * 1000)::bigint) || ' ' || n.node"
            + " FROM nodes n WHERE n.node = substr(runs.placement, 6) AND n.state <> 'live')"
            + " WHEN placement LIKE 'root:%' AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.state = 'live'"
            + " AND substr(runs.placement, 6) = ANY(n.roots)) THEN 'root 0 ' || substr(placement, 6) END END";

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private AwaitedNode() {}

    /** Text for people after "waits for", e.g. {@code n1, silent 3 m}. */
    static String text(String column) {
        String[] parts = column.split(" ", 3);
        String ago = ago(Duration.ofMillis(Long.parseLong(parts[1])).toSeconds());
        return switch (parts[0]) {
            case "root" -> "a node that has the shared root " + parts[2];
            case "left" -> parts[2] + ", which left " + ago + " ago";
            default -> parts[2] + ", silent " + ago;
        };
    }

    private static String ago(long seconds) {
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        if (seconds < HOUR) {
            return seconds / MINUTE + " m";
        }
        return seconds < DAY ? seconds / HOUR + " h" : seconds / DAY + " d";
    }
}
