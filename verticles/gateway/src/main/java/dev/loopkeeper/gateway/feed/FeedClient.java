package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import java.util.List;

/**
 * One client of the feed: a filter, a place in the order of events, and a socket. First it is served from the store,
 * as fast as it reads, until the live window reaches its place; from then on from the window, and a place that the
 * window has lost means that the client is too slow. Nothing is kept per client but the place.
 */
public final class FeedClient {
    private static final String LAGGED = "lagged";

    private final FeedSink sink;
    private final FeedFilter filter;
    private final Feed feed;
    private long place;
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

    /** Sends the snapshot and then everything after {@code from}. */
    void begin(String snapshot, long from) {
        if (closed) {
            return;
        }
        place = from;
        lastSent = from;
        sink.send("snapshot", Long.toString(from), snapshot);
        begun = true;
        serve();
    }

    /** How many events of the window it has not been sent; 0 while it is not live. */
    int behind(LiveWindow window) {
        return live && !closed ? window.countAfter(place) : 0;
    }

    /** Sends what there is and can be taken; to be called when either changes. */
    void serve() {
        if (!begun || closed) {
            return;
        }
        LiveWindow window = feed.window();
        if (!window.reaches(place)) {
            serveFromStore();
            return;
        }
        if (!busy) {
            live = true;
            send(window.after(place));
        }
    }

    private void serveFromStore() {
        if (live) {
            lag();
        } else if (!busy) {
            busy = true;
            feed.page(place)
                    .map(this::replay)
                    .recover(unreadable -> close(CloseReason.STORE_FAILED))
                    .onFailure(ClientGone::note);
        }
    }

    private Void replay(List<EncodedEvent> page) {
        busy = false;
        if (closed) {
            return null;
        }
        if (page.isEmpty()) {
            // The store has nothing more, so the window's floor is the place.
            place = Math.max(place, feed.window().floor());
        }
        send(page);
        serve();
        return null;
    }

    /** Sends until the socket is full; what is left then is looked up again once it is drained. */
    private void send(List<EncodedEvent> events) {
        for (EncodedEvent event : events) {
            if (sink.full()) {
                busy = true;
                sink.whenDrained(this::drained);
                return;
            }
            place = event.position();
            if (filter.wants(event)) {
                sink.send(event.type(), event.cursor(), event.text());
                lastSent = place;
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

    /** Who says nothing while much waits for it does not read, and may yet; who says nothing although it has all is gone. */
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

    /** It sent what ends the feed. */
    void refuse(CloseReason misuse) {
        close(misuse).onFailure(ClientGone::note);
    }

    /** Completes when the client has heard it, or had its time. */
    Future<Void> close(CloseReason reason) {
        if (closed) {
            return Future.succeededFuture();
        }
        gone();
        return sink.close(reason);
    }

    /** The connection is no more. */
    public void gone() {
        closed = true;
        feed.forget(this);
    }
}
