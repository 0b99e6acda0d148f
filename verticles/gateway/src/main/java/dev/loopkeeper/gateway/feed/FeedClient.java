package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.PositionedEvent;
import io.vertx.core.Future;
import java.util.Iterator;
import java.util.List;

/**
 * A client of the feed: a filter, a position in the order of events, and a sink. It reads from the store until it
 * reaches the live window, then from the window. If the window drops events that it has not read, it is too slow and is
 * closed. Only the position is kept per client.
 */
public final class FeedClient {
    private static final String LAGGED = "lagged";

    private final FeedSink sink;
    private final FeedFilter filter;
    private final Feed feed;
    private long position;
    private long lastSent;
    private boolean live;
    private boolean begun;
    private boolean busy;
    private boolean closed;

    FeedClient(FeedSink sink, FeedFilter filter, Feed feed) {
        this.sink = sink;
        this.filter = filter;
        this.feed = feed;
    }

    /** Sends the snapshot, then all events after {@code from}. */
    void begin(String snapshot, long from) {
        if (closed) {
            return;
        }
        position = from;
        lastSent = from;
        sink.send("snapshot", Long.toString(from), snapshot);
        begun = true;
        serve();
    }

    /** Returns how many events of the window are not sent; 0 while the client replays. */
    int behind(LiveWindow window) {
        return live && !closed ? window.countAfter(position) : 0;
    }

    /** Sends available events. Call when there are new events or the sink can take more. */
    void serve() {
        if (!begun || closed) {
            return;
        }
        LiveWindow window = feed.window();
        if (!window.reaches(position)) {
            serveFromStore();
            return;
        }
        if (!busy) {
            live = true;
            send(window.after(position).iterator());
        }
    }

    private void serveFromStore() {
        if (live) {
            lag();
        } else if (!busy) {
            busy = true;
            feed.page(position)
                    .map(this::replay)
                    .recover(unreadable -> close(CloseReason.STORE_FAILED))
                    .onFailure(ClientGone::note);
        }
    }

    private Void replay(List<PositionedEvent> page) {
        busy = false;
        if (closed) {
            return null;
        }
        if (page.isEmpty()) {
            // The store has no more events, so the client continues at the window's floor.
            position = Math.max(position, feed.window().floor());
        }
        send(page.stream().map(EncodedEvent::of).iterator());
        serve();
        return null;
    }

    /** Sends until the sink is full; the rest follows once it has drained. */
    private void send(Iterator<EncodedEvent> events) {
        while (events.hasNext()) {
            if (sink.full()) {
                busy = true;
                sink.whenDrained(this::drained);
                return;
            }
            EncodedEvent event = events.next();
            position = event.position();
            if (filter.matches(event)) {
                sink.send(event.type(), event.cursor(), event.text());
                lastSent = position;
            }
        }
    }

    private void drained() {
        busy = false;
        serve();
    }

    private void lag() {
        feed.noteLagged();
        ObjectNode message = Json.MAPPER.createObjectNode();
        message.put("type", LAGGED).put("cursor", Long.toString(lastSent));
        sink.send(LAGGED, Long.toString(lastSent), message.toString());
        close(CloseReason.LAGGED).onFailure(ClientGone::note);
    }

    /** A silent client with much unread data lags; a silent client without unread data is gone. */
    void ping() {
        if (closed || sink.ping()) {
            return;
        }
        if (begun && sink.full()) {
            lag();
        } else {
            sink.cut();
            gone();
        }
    }

    /** Closes a client that violated the protocol. */
    void refuse(CloseReason misuse) {
        close(misuse).onFailure(ClientGone::note);
    }

    /** Completes when the client has read the rest or its time is over. */
    Future<Void> close(CloseReason reason) {
        if (closed) {
            return Future.succeededFuture();
        }
        gone();
        return sink.close(reason);
    }

    /** Called when the connection is closed. */
    public void gone() {
        closed = true;
        feed.forget(this);
    }
}
