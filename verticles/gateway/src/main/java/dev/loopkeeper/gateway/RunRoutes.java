package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.Redaction;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.contract.RunChannels.ListItems;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.RunCursor;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.ListSchedules;
import dev.loopkeeper.gateway.access.ConcurrencyLimit;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Serves the list of runs, a run, its checkpoint, its steps and its explanation. */
final class RunRoutes {
    private static final String FOR = "for";
    private static final String PAUSED = "paused";
    private static final List<String> OCCASIONS = List.of(PAUSED, "ended");
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;
    private static final int MOST_OF_TEXT = 200;
    private static final int MAX_ITEMS = 10_000;
    /** A large answer has megabytes, and many times that while it is built. */
    private static final int LARGE_AT_ONCE = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final EventStore store;
    private final SchedulerClient scheduler;
    private final RemoteRunDetails elsewhere;
    private final LoadedRuns loaded;
    private final RunWait waits;
    private final ConcurrencyLimit large = new ConcurrencyLimit(LARGE_AT_ONCE, PATIENCE);
    /** Separate, so that lists do not wait for large answers of single runs. */
    private final ConcurrencyLimit lists = new ConcurrencyLimit(LARGE_AT_ONCE, PATIENCE);

    RunRoutes(Vertx vertx, EventStore store, SchedulerClient scheduler, ClusterClient cluster, RunWait waits) {
        this.store = store;
        this.waits = waits;
        LoadedRuns runs = LoadedRuns.in(vertx);
        this.vertx = vertx;
        this.scheduler = scheduler;
        this.elsewhere = new RemoteRunDetails(cluster, runs);
        this.loaded = runs;
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/runs", this::list).taking("status", "limit", "cursor", "prefix", "q"),
                Endpoint.get("/runs/{runId}", this::waitFor).taking("wait", FOR),
                Endpoint.get("/runs/{runId}/checkpoint", this::checkpoint),
                Endpoint.get("/runs/{runId}/explain", this::explain),
                Endpoint.get("/runs/{runId}/items", this::items).taking("cursor", "limit"),
                Endpoint.get("/runs/{runId}/steps", this::steps).taking("limit", "cursor"),
                Endpoint.get("/runs/{runId}/steps/{stepId}", this::step));
    }

    private Future<Answer> one(RoutingContext context) {
        String runId = Ids.run(context);
        return scheduler
                .document(RunChannels.GET, new GetRun(runId))
                .compose(run -> elsewhere.run(runId, run))
                .compose(this::redacted);
    }

    private Future<Answer> redacted(JsonNode document) {
        return Answer.made(vertx, () -> Redaction.of(document));
    }

    /** Answers at once, or with {@code wait} when the run pauses or ends. An ended run ends every wait. */
    private Future<Answer> waitFor(RoutingContext context) {
        Query query = new Query(context);
        Optional<Duration> limit = query.waiting();
        Set<String> occasions = query.choices(FOR, OCCASIONS);
        if (limit.isEmpty()) {
            if (!occasions.isEmpty()) {
                throw Problem.invalidAt(FOR, "requires wait");
            }
            return one(context);
        }
        String runId = Ids.run(context);
        boolean pausesCount = occasions.isEmpty() || occasions.contains(PAUSED);
        Predicate<Run> condition = run -> run.status().isEnded() || (pausesCount && run.status() == RunStatus.PAUSED);
        Supplier<Future<JsonNode>> load = () -> scheduler.document(RunChannels.GET, new GetRun(runId));
        return waits.after(load, runId, condition, limit.get(), ClientGone.of(context))
                .compose(outcome -> one(context));
    }

    private Future<Answer> explain(RoutingContext context) {
        GetRun question = new GetRun(Ids.run(context));
        return scheduler
                .document(RunChannels.EXPLAIN, question)
                .compose(explanation -> loaded.find(question.runId()).isPresent()
                        ? Future.succeededFuture(explanation)
                        : scheduler
                                .document(RunChannels.GET, question)
                                .map(run -> RemoteRunDetails.waiting(explanation, run)))
                .compose(this::redacted);
    }

    private Future<Answer> checkpoint(RoutingContext context) {
        GetRun question = new GetRun(Ids.run(context));
        return limited(
                context,
                () -> scheduler.document(RunChannels.CHECKPOINT, question).compose(this::redacted));
    }

    private Future<Answer> list(RoutingContext context) {
        Query query = new Query(context);
        int limit = (int) query.whole("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
        Set<String> statuses = query.choices("status", WireName.all(RunStatus.class));
        Optional<String> cursor =
                query.matching("cursor", RunCursor::isCursor, "must be the nextCursor of a page of this list");
        Optional<String> prefix =
                query.matching("prefix", RunId::isValid, "is not the beginning of a run id: " + RunId.RULE);
        RunQuery question = new RunQuery(statuses, limit, cursor, prefix, text(query));
        return lists.call(
                vertx,
                context.response()::closed,
                () -> store.list(question)
                        .compose(list -> failedSchedules(question)
                                .compose(failed -> Answer.made(vertx, () -> page(list, failed)))));
    }

    /** The first page names the schedules whose newest fire failed. */
    private Future<JsonNode> failedSchedules(RunQuery question) {
        return question.cursor().isPresent()
                ? Future.succeededFuture(MissingNode.getInstance())
                : scheduler
                        .document(ScheduleChannels.LIST, new ListSchedules(Optional.empty()))
                        .otherwise(MissingNode.getInstance());
    }

    private static Optional<String> text(Query query) {
        Optional<String> text = query.text("q").map(String::strip).filter(words -> !words.isEmpty());
        if (text.isPresent() && text.get().length() > MOST_OF_TEXT) {
            throw Problem.invalidAt("q", "may have at most " + MOST_OF_TEXT + " characters");
        }
        return text;
    }

    private JsonNode page(RunPage list, JsonNode schedules) {
        Instant now = Instants.now();
        ObjectNode page = Json.MAPPER.createObjectNode();
        ArrayNode runs = page.putArray("runs");
        list.runs().forEach(run -> runs.add(loaded.withActivity(run.runId(), run.shown(now))));
        page.put("nextCursor", list.nextCursor().orElse(null));
        schedules.path("schedules").forEach(schedule -> {
            if (schedule.hasNonNull("attention")) {
                page.withArrayProperty("schedules")
                        .add(((ObjectNode) schedule).deepCopy().retain("name", "attention"));
            }
        });
        return page;
    }

    /** Oldest first; newest first with {@code before} or with a limit only. */
    private Future<Answer> steps(RoutingContext context) {
        ListSteps question = question(Ids.run(context), new Query(context));
        return limited(
                context, () -> withProcesses(question.runId(), scheduler.document(RunChannels.STEP_PAGE, question)));
    }

    private static ListSteps question(String runId, Query query) {
        OptionalLong limit = query.whole("limit", 1, MAX_LIMIT);
        int most = (int) limit.orElse(MAX_LIMIT);
        String begin = limit.isPresent() ? ListSteps.NEWEST : ListSteps.OLDEST;
        return ListSteps.at(query.text("cursor").orElse(begin), runId, most)
                .orElseThrow(() -> Problem.invalidAt("cursor", "must be the nextCursor of a page of these steps"));
    }

    private Future<Answer> limited(RoutingContext context, Supplier<Future<Answer>> answer) {
        return large.call(vertx, context.response()::closed, answer);
    }

    private Future<Answer> items(RoutingContext context) {
        Query query = new Query(context);
        int since = (int) query.whole("cursor", 0, Integer.MAX_VALUE).orElse(0);
        int limit = (int) query.whole("limit", 1, MAX_ITEMS).orElse(MAX_LIMIT);
        ListItems question = new ListItems(Ids.run(context), since, limit);
        return limited(
                context, () -> scheduler.document(RunChannels.ITEMS, question).compose(this::redacted));
    }

    private Future<Answer> step(RoutingContext context) {
        String runId = Ids.run(context);
        GetStep question = new GetStep(runId, Ids.step(context));
        return limited(context, () -> withProcesses(runId, scheduler.document(RunChannels.STEP, question)));
    }

    private Future<Answer> withProcesses(String runId, Future<JsonNode> steps) {
        return steps.compose(recorded -> elsewhere.steps(runId, recorded))
                .compose(known -> Answer.made(vertx, () -> known));
    }
}
