package dev.loopkeeper.gateway.feed;

import io.vertx.core.Future;
import java.util.function.Consumer;

/** Where the messages of one client go: a WebSocket, or a stream of server-sent events. */
public interface FeedSink {
    /** Whether the client has too much unread already. */
    boolean full();

    /** Says once when it is no longer full. */
    void whenDrained(Runnable again);

    /** Says why each time the client sends what ends the feed; where it can send nothing, never. */
    default void whenMisused(Consumer<CloseReason> misused) {}

    /**
     * Sends one message.
     *
     * @param type {@code snapshot}, {@code lagged} or the type of the event
     * @param cursor where a client goes on that has read it
     */
    void send(String type, String cursor, String text);

    /** Asks for a sign of life; false when there was none since the last time. */
    boolean ping();

    /** Says farewell and ends the connection, if need be without the client's help; completes then. */
    Future<Void> close(CloseReason reason);

    /** Cuts the connection of a client that is not there. */
    void cut();
}
