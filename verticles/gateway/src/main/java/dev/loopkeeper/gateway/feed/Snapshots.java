package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.EventStore.RunsAt;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;

/**
 * Builds the first message of a feed. Its runs are those of the store at exactly its cursor: the next event sent of
 * each run has the sequence after the one in the snapshot.
 */
final class Snapshots {
    private final Vertx vertx;
    private final EventStore store;
    private final PastRuns past;
    private final LoadedRuns loaded;
    private final int newest;

    Snapshots(Vertx vertx, EventStore store, int newest) {
        this.vertx = vertx;
        this.store = store;
        this.loaded = LoadedRuns.in(vertx);
        this.past = new PastRuns(vertx, store);
        this.newest = newest;
    }

    /**
     * The first message of a feed.
     *
     * @param cursor position of the runs' states
     * @param text {@code {"type":"snapshot","cursor":"41","runs":[...]}}, newest run first
     */
    record Snapshot(long cursor, String text) {}

    /** Returns the snapshot at the filter's cursor, or now without one; empty if the cursor is ahead of all events. */
    Future<Optional<Snapshot>> take(FeedFilter filter) {
        RunSelection selection = new RunSelection(filter.runs(), RunStatus.OPEN, newest);
        return store.runsAt(selection, filter.since())
                .compose(found -> filter.since().orElse(0L) > found.lastPosition()
                        ? Future.succeededFuture(Optional.empty())
                        : views(found.runs())
                                .compose(views -> text(filter.since().orElse(found.lastPosition()), views))
                                .map(Optional::of));
    }

    private Future<List<JsonNode>> views(List<RunsAt.RunAt> runs) {
        List<Future<Optional<JsonNode>>> views = runs.stream().map(this::view).toList();
        return Future.all(views)
                .map(all ->
                        views.stream().flatMap(view -> view.result().stream()).toList());
    }

    private Future<Optional<JsonNode>> view(RunsAt.RunAt run) {
        return run.current()
                ? Future.succeededFuture(Optional.of(
                        loaded.withActivity(run.row().runId(), run.row().shown(Instants.now()))))
                : past.of(run.row().runId(), run.sequence())
                        .map(found -> found.map(view -> ViewJson.shown(view, Instants.now())));
    }

    /** Serializes one at a time, because many runs take megabytes. */
    private Future<Snapshot> text(long cursor, List<JsonNode> views) {
        return vertx.executeBlocking(() -> of(cursor, views), true);
    }

    private static Snapshot of(long cursor, List<JsonNode> views) {
        ObjectNode message = Json.MAPPER.createObjectNode();
        message.put("type", "snapshot").put("cursor", Long.toString(cursor));
        ArrayNode runs = message.putArray("runs");
        views.forEach(view -> runs.add(BriefRun.of(view)));
        return new Snapshot(cursor, message.toString());
    }
}
