package dev.loopkeeper.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.Redaction;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.IterationPages;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunRow;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What the store has kept of a run: its events, the iterations that they tell of, and its stop receipts. */
final class HistoryRoutes {
    private static final int DEFAULT_LIMIT = 1000;
    private static final int MAX_LIMIT = 10_000;

    private static final int DEFAULT_ITERATIONS = 200;
    private static final int MAX_ITERATIONS = 1000;

    /** A page of large events is many times its size while it is made. */
    private static final int PAGES_AT_ONCE = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventStore store;
    private final InTurn pages = new InTurn(PAGES_AT_ONCE, PATIENCE);
    private final IterationPages iterations;

    HistoryRoutes(Vertx vertx, EventStore store) {
        this.store = store;
        this.iterations = new IterationPages(vertx, store);
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/runs/{runId}/events", this::events),
                Endpoint.get("/runs/{runId}/iterations", this::iterations),
                Endpoint.get("/runs/{runId}/receipts", this::receipts));
    }

    private Future<Answer> events(RoutingContext context) {
        String runId = Ids.run(context);
        Query query = new Query(context);
        long since = query.whole("since", 0, Long.MAX_VALUE).orElse(0);
        int limit = (int) query.whole("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
        return known(runId)
                .compose(found -> pages.call(
                        context.vertx(),
                        context.response()::closed,
                        () -> store.events(runId, since, limit).map(events -> page(events, since))));
    }

    private static Answer page(List<PositionedEvent> events, long since) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        ArrayNode list = page.putArray("events");
        long next = since;
        for (PositionedEvent event : events) {
            ObjectNode envelope = Json.MAPPER.valueToTree(event.event());
            envelope.set("data", Redaction.of(envelope.path("data")));
            list.add(envelope);
            next = event.event().sequence();
        }
        page.put("nextSince", next);
        return Answer.ok(page);
    }

    private Future<Answer> iterations(RoutingContext context) {
        String runId = Ids.run(context);
        Query query = new Query(context);
        OptionalLong before = query.whole("before", 1, Long.MAX_VALUE);
        int limit = (int) query.whole("limit", 1, MAX_ITERATIONS).orElse(DEFAULT_ITERATIONS);
        return known(runId)
                .compose(found -> iterations.page(runId, before, limit))
                .map(page -> Answer.ok(ViewJson.write(page)));
    }

    private Future<Answer> receipts(RoutingContext context) {
        String runId = Ids.run(context);
        return known(runId)
                .compose(found -> store.receipts(runId))
                .map(receipts -> Answer.wrapped("receipts", parsed(receipts)));
    }

    private Future<RunRow> known(String runId) {
        return store.find(runId).map(row -> row.orElseThrow(() -> Problem.noSuchRun(runId)));
    }

    private static List<JsonNode> parsed(List<String> receipts) {
        List<JsonNode> parsed = new ArrayList<>();
        for (String receipt : receipts) {
            try {
                parsed.add(Json.MAPPER.readTree(receipt));
            } catch (JsonProcessingException broken) {
                throw new IllegalStateException("the store holds a receipt that is not JSON", broken);
            }
        }
        return parsed;
    }
}
