package dev.loopkeeper.gateway.feed;

import io.vertx.core.Future;
import java.util.function.Consumer;

/** Sends messages to one client, over a WebSocket or as server-sent events. */
public interface FeedSink {
    /** Returns whether the client has too much unread data. */
    boolean full();

    /** Calls {@code again} once when the sink is no longer full. */
    void whenDrained(Runnable again);

    /** Calls {@code misused} each time the client violates the protocol; never if it cannot send. */
    default void whenMisused(Consumer<CloseReason> misused) {}

    /**
     * Sends one message.
     *
     * @param type {@code snapshot}, {@code lagged} or the type of the event
     * @param cursor after which a client that has read the message continues
     */
    void send(String type, String cursor, String text);

    /** Requests a sign of life. Returns false if there was none since the last ping. */
    boolean ping();

    /** Closes the connection with a reason, by force after the grace. Completes when it is closed. */
    Future<Void> close(CloseReason reason);

    /** Cuts the connection of a client that is gone. */
    void cut();
}
