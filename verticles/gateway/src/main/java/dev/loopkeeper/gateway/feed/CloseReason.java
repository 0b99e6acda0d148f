package dev.loopkeeper.gateway.feed;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The reason for which the server ends a feed, with the code of RFC 6455, section 7.4. */
public enum CloseReason {
    /** The server is stopping. */
    GOING_AWAY(1001, "the server is shutting down"),
    /** The cursor belongs to another store. */
    CURSOR_AHEAD(1008, "since is ahead of the newest event; connect without it"),
    /** The client sent a message that exceeds the limit. */
    TOO_BIG(1009, "a message to the feed can have at most " + WebSocketSink.LONGEST_MESSAGE + " bytes"),
    /** The store cannot be read. */
    STORE_FAILED(1011, "the event store cannot be read"),
    /** The client reads too slowly. */
    LAGGED(1013, "too slow; connect again with the cursor of the last message");

    private static final Duration SHORT_GRACE = Duration.ofSeconds(2);
    private static final Set<CloseReason> WITH_SHORT_GRACE = EnumSet.of(GOING_AWAY, TOO_BIG);

    private final int code;
    private final String text;

    CloseReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    short code() {
        return (short) code;
    }

    /** Returns how long the client may take to read the rest; short if the server stops or the client misbehaves. */
    Duration grace(FeedOptions options) {
        return WITH_SHORT_GRACE.contains(this) && options.closeGrace().compareTo(SHORT_GRACE) > 0
                ? SHORT_GRACE
                : options.closeGrace();
    }

    String text() {
        return text;
    }
}
