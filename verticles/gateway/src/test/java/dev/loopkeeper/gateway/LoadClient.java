package dev.loopkeeper.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.parsetools.RecordParser;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One of many clients of the feed, by WebSocket or by server-sent events, that keeps the cursors it received. */
final class LoadClient {
    private static final String CURSOR = "\"cursor\":\"";

    private final GatewayFixture fixture;
    private final HttpClient streams;
    private final boolean socket;
    private final List<Long> received = new ArrayList<>();
    private Supplier<Future<Void>> leave = Future::succeededFuture;
    private Promise<Void> begun = Promise.promise();
    private int connection;

    LoadClient(GatewayFixture fixture, HttpClient streams, boolean socket) {
        this.fixture = fixture;
        this.streams = streams;
        this.socket = socket;
    }

    /** Connects with this cursor; completes with the snapshot. */
    synchronized Future<Void> connect(long since) {
        connection++;
        int mine = connection;
        begun = Promise.promise();
        received.removeIf(cursor -> cursor > since);
        Future<Void> connected = socket ? webSocket(mine, since) : stream(mine, since);
        Promise<Void> snapshot = begun;
        return connected.compose(open -> snapshot.future());
    }

    private Future<Void> webSocket(int mine, long since) {
        var client = fixture.sockets.webSocket();
        client.textMessageHandler(text -> receive(mine, text));
        leave = () -> client.close();
        return client.connect(new WebSocketConnectOptions()
                        .setHost("127.0.0.1")
                        .setPort(fixture.gateway.port())
                        .setURI("/feed?since=" + since))
                .mapEmpty();
    }

    private Future<Void> stream(int mine, long since) {
        RecordParser records = RecordParser.newDelimited("\n\n", text -> receive(mine, text.toString()));
        return streams.request(HttpMethod.GET, fixture.gateway.port(), "127.0.0.1", "/stream?since=" + since)
                .compose(request -> {
                    HttpConnection line = request.connection();
                    leaveBy(() -> line.close());
                    return request.send().map(response -> {
                        response.exceptionHandler(ended -> {});
                        response.handler(records);
                        return null;
                    });
                });
    }

    private synchronized void leaveBy(Supplier<Future<Void>> way) {
        leave = way;
    }

    private synchronized void receive(int mine, String text) {
        int at = text.lastIndexOf(CURSOR);
        // What a connection still had on its way when it was given up is not received.
        if (mine != connection || at < 0) {
            return;
        }
        if (text.contains("\"type\":\"snapshot\"")) {
            begun.tryComplete();
            return;
        }
        int begin = at + CURSOR.length();
        received.add(Long.parseLong(text.substring(begin, text.indexOf('"', begin))));
    }

    synchronized Future<Void> leave() {
        connection++;
        return leave.get();
    }

    /** Cursors in the order they came, of all connections together. */
    synchronized List<Long> received() {
        return List.copyOf(received);
    }

    synchronized long last() {
        return received.isEmpty() ? 0 : received.get(received.size() - 1);
    }
}
