package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.work.BoundedMap;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds runs as they were after one of their events. Caches the last requested ones, so that clients that reconnect
 * together share the work. Used on one event loop.
 */
final class PastRuns {
    private static final Logger LOG = LoggerFactory.getLogger(PastRuns.class);
    private static final int MOST_KEPT = 256;
    /** Larger objects, in characters, are not cached, since many would fill the heap. */
    private static final int LARGE = 64 << 10;

    private final Vertx vertx;
    private final EventStore store;
    private final Map<Moment, Future<Optional<JsonNode>>> kept = BoundedMap.byUse(MOST_KEPT);

    PastRuns(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
    }

    private record Moment(String runId, long sequence) {}

    /** Returns the run object; empty if the history cannot be read, so that the snapshot omits the run. */
    Future<Optional<JsonNode>> of(String runId, long sequence) {
        Moment moment = new Moment(runId, sequence);
        Future<Optional<JsonNode>> known = kept.get(moment);
        if (known != null) {
            return known.otherwise(Optional.empty());
        }
        Future<Optional<JsonNode>> asked = view(moment);
        kept.put(moment, asked);
        // A store that did not answer may answer the next client.
        return asked.onSuccess(view -> {
                    if (view.filter(run -> Json.isLarge(run, LARGE)).isPresent()) {
                        kept.remove(moment, asked);
                    }
                })
                .onFailure(unreadable -> {
                    LOG.debug("no run object of {}", moment, unreadable);
                    kept.remove(moment, asked);
                })
                .otherwise(Optional.empty());
    }

    private Future<Optional<JsonNode>> view(Moment moment) {
        return store.loadAt(moment.runId(), moment.sequence())
                .compose(found -> vertx.executeBlocking(
                        () -> found.<JsonNode>map(run -> ViewJson.write(RunView.of(run.state()))), false));
    }
}
