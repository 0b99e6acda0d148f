package dev.loopkeeper.gateway.feed;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Why the server ends a feed, with the code of RFC 6455, section 7.4. */
public enum CloseReason {
    /** The server is about to end. */
    GOING_AWAY(1001, "the server is shutting down"),
    /** The cursor is of another store. */
    CURSOR_AHEAD(1008, "since is ahead of the newest event; connect without it"),
    /** The client sent a message that no feed waits for. */
    TOO_BIG(1009, "a message to the feed may have " + WebSocketSink.LONGEST_MESSAGE + " bytes at most"),
    /** The store cannot be read. */
    STORE_FAILED(1011, "the event store cannot be read"),
    /** The client does not keep up. */
    LAGGED(1013, "too slow; connect again with the cursor of the last message");

    private static final Duration HURRIED = Duration.ofSeconds(2);
    private static final Set<CloseReason> HURRYING = EnumSet.of(GOING_AWAY, TOO_BIG);

    private final int code;
    private final String text;

    CloseReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    short code() {
        return (short) code;
    }

    /** What a client may take to read its farewell: little when the server has to go, or is sent what it does not want. */
    Duration grace(FeedOptions options) {
        return HURRYING.contains(this) && options.closeGrace().compareTo(HURRIED) > 0 ? HURRIED : options.closeGrace();
    }

    String text() {
        return text;
    }
}
