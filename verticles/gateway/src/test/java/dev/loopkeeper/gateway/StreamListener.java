package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.feed.FeedListener;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real client of the feed's server-sent events that keeps what it receives. */
public final class StreamListener {
    public final List<JsonNode> messages = new CopyOnWriteArrayList<>();
    private final StringBuilder begun = new StringBuilder();

    /** A field, since an unreferenced one is closed. */
    private final HttpClient client;

    private StreamListener(HttpClient client) {
        this.client = client;
    }

    /** Listens before it sends: a handler that is set after the head has come misses the parts that came with it. */
    public static StreamListener open(GatewayFixture fixture, String query) {
        StreamListener listener = new StreamListener(fixture.vertx.createHttpClient());
        GatewayFixture.soon(listener.client
                .request(HttpMethod.GET, fixture.gateway.port(), "127.0.0.1", "/api/v1/stream" + query)
                .compose(request -> {
                    var received = request.response()
                            .onSuccess(response -> response.handler(part -> listener.receive(part.toString())));
                    return request.end().compose(sent -> received);
                }));
        return listener;
    }

    private void receive(String part) {
        begun.append(part);
        for (int end = begun.indexOf("\n\n"); end >= 0; end = begun.indexOf("\n\n")) {
            String event = begun.substring(0, end);
            begun.delete(0, end + 2);
            int data = event.indexOf("data: ");
            if (data >= 0) {
                messages.add(FeedListener.parse(event.substring(data + 6)));
            }
        }
    }
}
