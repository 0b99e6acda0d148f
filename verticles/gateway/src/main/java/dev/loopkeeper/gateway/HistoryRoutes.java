package dev.loopkeeper.gateway;

import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.gateway.access.ConcurrencyLimit;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Body;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.LargeBodies;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.IterationPages;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StepContexts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Serves what the store has of a run: events, iterations and stop receipts. */
final class HistoryRoutes {
    private static final int DEFAULT_LIMIT = 1000;
    private static final int MAX_LIMIT = 10_000;

    private static final int DEFAULT_ITERATIONS = 200;
    private static final int MAX_ITERATIONS = 1000;

    /** While it is built, a piece of large events takes many times its size. */
    private static final int PIECES_AT_ONCE = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final EventStore store;
    private final ConcurrencyLimit pieces = new ConcurrencyLimit(PIECES_AT_ONCE, PATIENCE);
    /** Separate, because it reads all events of a page and must not delay pieces. */
    private final ConcurrencyLimit tables = new ConcurrencyLimit(PIECES_AT_ONCE, PATIENCE);

    private final IterationPages iterations;
    private final StepContexts contexts;

    HistoryRoutes(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
        this.iterations = new IterationPages(vertx, store);
        this.contexts = new StepContexts(vertx, store);
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.document("/runs/{runId}/events", this::events).taking("since", "limit"),
                Endpoint.get("/runs/{runId}/iterations", this::iterations).taking("before", "cursor", "limit"),
                Endpoint.document("/runs/{runId}/receipts", this::receipts).taking("cursor"),
                Endpoint.get("/runs/{runId}/steps/{stepId}/context", this::context));
    }

    private void events(RoutingContext context) {
        String runId = Ids.run(context);
        Query query = new Query(context);
        long since = query.whole("since", 0, Long.MAX_VALUE).orElse(0);
        int limit = (int) query.whole("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
        EventsPage page = new EventsPage(vertx, store, runId, since, limit);
        send(context, runId, page::piece);
    }

    private void send(RoutingContext context, String runId, Supplier<Future<Body.Piece>> page) {
        known(runId)
                .compose(found -> LargeBodies.OF_PROCESS.sendJson(
                        vertx, context.request(), () -> pieces.call(vertx, context.response()::closed, page)))
                .onFailure(cause -> ProblemJson.write(context, cause));
    }

    private Future<Answer> iterations(RoutingContext context) {
        String runId = Ids.run(context);
        Query query = new Query(context);
        OptionalLong before = query.whole("before", 1, Long.MAX_VALUE);
        OptionalLong cursor = query.whole("cursor", 1, Long.MAX_VALUE);
        if (before.isPresent() && cursor.isPresent()) {
            throw Problem.invalidAt("cursor", "cannot be given together with before");
        }
        OptionalLong end = cursor.isPresent() ? cursor : before;
        int limit = (int) query.whole("limit", 1, MAX_ITERATIONS).orElse(DEFAULT_ITERATIONS);
        return known(runId)
                .compose(found ->
                        tables.call(vertx, context.response()::closed, () -> iterations.page(runId, end, limit)))
                .compose(page -> Answer.made(vertx, () -> ViewJson.write(page)));
    }

    /** Limited, because replaying the events of a long run takes a worker a while. */
    private Future<Answer> context(RoutingContext context) {
        String runId = Ids.run(context);
        String stepId = Ids.step(context);
        return known(runId)
                .compose(found -> pieces.call(vertx, context.response()::closed, () -> contexts.find(runId, stepId)))
                .map(found -> Answer.ok(ViewJson.write(
                        found.orElseThrow(() -> Problem.notFound("run " + runId + " has no step " + stepId)))));
    }

    private void receipts(RoutingContext context) {
        String runId = Ids.run(context);
        long since = new Query(context).whole("cursor", 0, Long.MAX_VALUE).orElse(0);
        send(context, runId, new ReceiptsPage(vertx, store, runId, since)::piece);
    }

    private Future<RunRow> known(String runId) {
        return store.find(runId).map(row -> row.orElseThrow(() -> Problem.noSuchRun(runId)));
    }
}
