package dev.loopkeeper.gateway.feed;

import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The live feed: a snapshot, then every event once and without gaps. Used on one event loop. All clients share one
 * window of encoded events, so a slow client costs the others nothing.
 */
public final class Feed {
    private static final int PAGE = 256;

    private final Vertx vertx;
    private final EventStore store;
    private final FeedOptions options;
    private final Snapshots snapshots;
    private final Set<FeedClient> clients = new LinkedHashSet<>();
    private LiveWindow window;
    private long pings;
    private long lagged;
    private Runnable unregister = () -> {};

    public Feed(Vertx vertx, EventStore store, FeedOptions options) {
        this.vertx = vertx;
        this.store = store;
        this.options = options;
        this.snapshots = new Snapshots(vertx, store, options.snapshotRuns());
        this.window = new LiveWindow(0, options.windowEvents(), options.windowBytes());
    }

    /** Starts to receive events; completes when clients may connect. */
    public Future<Void> start(LiveEvents events) {
        List<PositionedEvent> early = new ArrayList<>();
        Runnable earlyNoMore = events.listen(early::add);
        return store.lastPosition().map(newest -> {
            earlyNoMore.run();
            window = new LiveWindow(newest, options.windowEvents(), options.windowBytes());
            early.forEach(this::publish);
            unregister = events.listen(this::publish);
            pingLater();
            return null;
        });
    }

    /**
     * A one-shot timer: after a pause of the server no pings are repeated, which would leave clients no time to answer.
     */
    private void pingLater() {
        pings = vertx.setTimer(options.pingEvery().toMillis(), due -> {
            pingLater();
            ping();
        });
    }

    private void publish(PositionedEvent event) {
        if (window.add(EncodedEvent.of(event))) {
            List.copyOf(clients).forEach(FeedClient::serve);
        }
    }

    private void ping() {
        List.copyOf(clients).forEach(FeedClient::ping);
    }

    /** Adds a client that is on the calling event loop. */
    public FeedClient open(FeedSink sink, FeedFilter filter) {
        FeedClient client = new FeedClient(sink, filter, this);
        clients.add(client);
        sink.whenMisused(client::refuse);
        snapshots
                .take(filter)
                .compose(snapshot -> begin(client, snapshot))
                .recover(unreadable -> client.close(CloseReason.STORE_FAILED))
                .onFailure(ClientGone::note);
        return client;
    }

    private static Future<Void> begin(FeedClient client, Optional<Snapshots.Snapshot> snapshot) {
        if (snapshot.isEmpty()) {
            return client.close(CloseReason.CURSOR_AHEAD);
        }
        client.begin(snapshot.get().text(), snapshot.get().cursor());
        return Future.succeededFuture();
    }

    /** Returns the next events of the store after this position. */
    Future<List<PositionedEvent>> page(long position) {
        return store.eventsAfter(position, PAGE);
    }

    LiveWindow window() {
        return window;
    }

    public int clients() {
        return clients.size();
    }

    /** Returns by how many events the slowest live client is behind; clients that still replay are ignored. */
    public int lag() {
        return clients.stream().mapToInt(client -> client.behind(window)).max().orElse(0);
    }

    /** Returns how many clients were closed because they were too slow. */
    public long lagged() {
        return lagged;
    }

    void noteLagged() {
        lagged++;
    }

    void forget(FeedClient client) {
        clients.remove(client);
    }

    /** Closes all clients; completes when they have read the rest or their time is over. */
    public Future<Void> close() {
        unregister.run();
        vertx.cancelTimer(pings);
        List<Future<Void>> closings = List.copyOf(clients).stream()
                .map(client -> client.close(CloseReason.GOING_AWAY))
                .toList();
        return Future.join(closings).mapEmpty();
    }
}
