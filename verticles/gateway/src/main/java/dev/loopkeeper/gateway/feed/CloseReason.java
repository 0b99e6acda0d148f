package dev.loopkeeper.gateway.feed;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/** Why the server ends a feed, with the code of RFC 6455, section 7.4. */
public enum CloseReason {
    /** The server is about to end. */
    GOING_AWAY(1001, "the server is shutting down"),
    /** What the client sent is no frame of a WebSocket. */
    NO_FRAME(1002, "what was sent breaks the WebSocket protocol"),
    /** The client sent as text what is no UTF-8. */
    NO_TEXT(1007, "a text sent to the feed must be UTF-8"),
    /** The cursor is of another store. */
    CURSOR_AHEAD(1008, "since is ahead of the newest event; connect without it"),
    /** The client sent a message that no feed waits for. */
    TOO_BIG(1009, "a message to the feed may have " + WebSocketSink.LONGEST_MESSAGE + " bytes at most"),
    /** The store cannot be read. */
    STORE_FAILED(1011, "the event store cannot be read"),
    /** The client does not keep up. */
    LAGGED(1013, "too slow; connect again with the cursor of the last message");

    private static final Duration HURRIED = Duration.ofSeconds(2);
    private static final Set<CloseReason> HURRYING = EnumSet.of(GOING_AWAY, NO_FRAME, NO_TEXT, TOO_BIG);

    private final int code;
    private final String text;

    CloseReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** What is wrong with the frames of a client, by the code that they break the protocol with. */
    static CloseReason ofFrames(int code) {
        return Stream.of(NO_TEXT, TOO_BIG)
                .filter(reason -> reason.code == code)
                .findFirst()
                .orElse(NO_FRAME);
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
