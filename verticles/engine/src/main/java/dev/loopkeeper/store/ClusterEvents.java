package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.Redaction;
import dev.loopkeeper.json.Json;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes this node's appends on a clustered event bus as {@link JsonObject}: the envelope
 * {@code {runId, sequence, at, type, execution, data}} plus {@code node}. All nodes together publish each event at most
 * once, and events of one run in order. Events may be lost after a failure or if a node is too slow; the feed is the
 * durable source. Environment values and webhook addresses are hidden, as on the feed.
 */
public final class ClusterEvents {
    /** Address of the events of all nodes. */
    public static final String ADDRESS = "loopkeeper.cluster.events";

    private static final Logger LOG = LoggerFactory.getLogger(ClusterEvents.class);
    /** Drops events while more than this wait for serialization. */
    private static final int MOST_WAITING = 100;
    /** A larger event, in characters, is serialized on a worker. */
    private static final int LARGE = 64 << 10;

    private final Vertx engine;
    private final Context bus;
    private final String node;
    private Future<?> last = Future.succeededFuture();
    private int waiting;

    private ClusterEvents(Vertx engine, Vertx bus, String node) {
        this.engine = engine;
        this.bus = bus.getOrCreateContext();
        this.node = node;
    }

    /**
     * Publishes until the consumer is unregistered.
     *
     * @param engine Vert.x of this node's store
     * @param bus clustered Vert.x; may be the same
     */
    public static MessageConsumer<?> publish(Vertx engine, Vertx bus, String node) {
        return StoreChannels.OWN_EVENTS.listen(engine.eventBus(), new ClusterEvents(engine, bus, node)::enqueue);
    }

    /** Called on the context of the consumer. */
    private void enqueue(PositionedEvent positioned) {
        StoredEvent event = positioned.event();
        if (waiting >= MOST_WAITING) {
            LOG.debug("event {} of run {} is not published in the cluster", event.sequence(), event.runId());
            return;
        }
        waiting++;
        last = last.transform(before -> envelope(event))
                .onSuccess(this::send)
                .onFailure(cause ->
                        LOG.warn("event {} of run {} cannot be published", event.sequence(), event.runId(), cause))
                .onComplete(done -> waiting--)
                .otherwiseEmpty();
    }

    private Future<JsonObject> envelope(StoredEvent event) {
        return Json.isLarge(event.data(), LARGE)
                ? engine.executeBlocking(() -> json(event), false)
                : Future.succeededFuture(event).map(this::json);
    }

    private JsonObject json(StoredEvent event) {
        JsonNode data = Redaction.of(event.data());
        ObjectNode envelope = Json.MAPPER.valueToTree(
                new StoredEvent(event.runId(), event.sequence(), event.at(), event.type(), event.execution(), data));
        return new JsonObject(envelope.put("node", node).toString());
    }

    private void send(JsonObject envelope) {
        try {
            bus.runOnContext(now -> bus.owner().eventBus().publish(ADDRESS, envelope));
        } catch (RejectedExecutionException closed) {
            LOG.debug("the event bus of the cluster is closed");
        }
    }
}
