package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.OpenSteps;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.gateway.GatewayPorts;
import dev.loopkeeper.gateway.GatewayVerticle;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.store.CheckpointWriter;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.PolicyVerticle;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.ScheduleStatuses;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A real gateway and a real store with a scheduler that says what the test wants; it owns a data folder. */
public final class FakeKeeper implements AutoCloseable {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33.120Z");

    final Vertx vertx = Vertx.vertx();
    final Map<String, ObjectNode> runs = new ConcurrentHashMap<>();
    final Map<String, JsonNode> steps = new ConcurrentHashMap<>();
    final List<Object> asked = new CopyOnWriteArrayList<>();
    public volatile Function<Object, Optional<Refusal>> refusal = question -> Optional.empty();
    /** When what is asked is answered; the answer is that of the moment at which it was asked. */
    public volatile Future<Void> answering = Future.succeededFuture();

    /** When the runs of a feed's snapshot are looked up; they are those of that moment. */
    volatile Supplier<Future<Void>> snapshots = Future::succeededFuture;

    public final String url;
    private final OwnerLock lock;
    private final OpenStore store;

    /** Returns a session of a command without options. */
    public static Session session() {
        return new Session(null);
    }

    public FakeKeeper(Path data) {
        RecordCodec.register(vertx);
        DataFolder folder = new DataFolder(data).prepare();
        lock = folder.own();
        store = Session.await(SqliteEventStore.open(vertx, data));
        GatewayPorts ports = new GatewayPorts(
                read(),
                (manifest, options) -> Future.succeededFuture(new Submission.Accepted(
                        manifest, null, options.workspace().orElse("/"), "/", List.of())),
                () -> false,
                0);
        GatewayVerticle gateway =
                new GatewayVerticle(GatewayOptions.loopback(0, data).patient(Duration.ofSeconds(60)), ports);
        PolicyKeeper policies = new PolicyKeeper(vertx, store);
        Session.await(scheduler(vertx.eventBus())
                .compose(serving -> ScheduleChannels.LIST.serve(
                        vertx.eventBus(),
                        asked -> new ScheduleStatuses(store, policies.current().policy())
                                .all()
                                .map(RunAnswer::of)))
                .compose(serving -> vertx.deployVerticle(new EventStoreVerticle(store)))
                .compose(writing -> vertx.deployVerticle(new PolicyVerticle(policies, false)))
                .compose(writing -> vertx.deployVerticle(gateway))
                .compose(listening -> gateway.open()));
        url = gateway.url();
        folder.serverFile().write(new ServerAddress(url, ProcessHandle.current().pid(), Instant.now()));
    }

    /** This schedule fired, and that failed. */
    public void fails(String schedule, String why) {
        Fire fire = Fire.due(schedule, NOW, "hand/1", Fire.By.HAND, Optional.empty(), Map.of());
        Session.await(store.addFire(fire.with(Fire.Outcome.FAILED, why)));
    }

    /** These runs wait for a place of the pool, in this order. */
    public void queue(String pool, String... runIds) {
        List<PoolInput> claims = Stream.of(runIds)
                .<PoolInput>map(
                        runId -> new PoolInput.Claims(Instant.now(), runId, 0, Set.of(), Set.of("only/dev///0")))
                .toList();
        Session.await(store.changePool(pool, claims, OptionalInt.of(0)));
    }

    private EventStore read() {
        return (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list")) {
                        return list((RunQuery) arguments[0]);
                    }
                    Future<Void> when = method.getName().equals("runsAt") ? snapshots.get() : Future.succeededFuture();
                    return when.compose(now -> ask(method, arguments));
                });
    }

    private Future<Object> ask(Method method, Object... arguments) {
        try {
            return ((Future<?>) method.invoke(store, arguments)).map(answer -> answer);
        } catch (ReflectiveOperationException cause) {
            return Future.failedFuture(cause);
        }
    }

    private Future<?> scheduler(EventBus bus) {
        return Future.all(List.of(
                on(bus, RunChannels.START, this::start),
                on(bus, RunChannels.STOP, question -> run(question.runId())),
                on(bus, RunChannels.END, question -> run(question.runId())),
                on(bus, RunChannels.PAUSE, question -> run(question.runId())),
                on(bus, RunChannels.RESUME, question -> run(question.runId())),
                on(bus, RunChannels.GET, question -> run(question.runId())),
                on(bus, RunChannels.EXPLAIN, question -> run(question.runId())),
                on(bus, RunChannels.STEP, question -> step(question.runId(), question.stepId())),
                on(bus, RunChannels.STEP_PAGE, this::newest),
                SchedulerChannels.OPEN_STEPS.serve(
                        bus, question -> Future.succeededFuture(new OpenSteps(Set.of(), Set.of())))));
    }

    private <Q> Future<Void> on(EventBus bus, RequestChannel<Q, RunAnswer> channel, Function<Q, RunAnswer> usual) {
        return channel.serve(bus, question -> {
            asked.add(question);
            return answering.map(
                    refusal.apply(question).map(RunAnswer::refused).orElseGet(() -> usual.apply(question)));
        });
    }

    private RunAnswer start(StartRun question) {
        String runId = question.runId().orElse("made-up");
        return RunAnswer.created(put(runId, "running"));
    }

    private RunAnswer run(String runId) {
        return of(runs, runId);
    }

    private RunAnswer step(String runId, String stepId) {
        for (JsonNode step :
                steps.getOrDefault(runId, MissingNode.getInstance()).path("steps")) {
            if (step.path("stepId").asText().equals(stepId)) {
                return RunAnswer.of(step);
            }
        }
        return RunAnswer.refused(new Refusal(RefusalCode.NOT_FOUND, "run " + runId + " has no step " + stepId));
    }

    private RunAnswer newest(ListSteps question) {
        if (!steps.containsKey(question.runId())) {
            return of(steps, question.runId());
        }
        List<JsonNode> all = new ArrayList<>();
        steps.get(question.runId()).path("steps").forEach(all::add);
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.putArray("steps").addAll(all.subList(Math.max(0, all.size() - question.limit()), all.size()));
        return RunAnswer.of(page.putNull("nextCursor"));
    }

    private static RunAnswer of(Map<String, ? extends JsonNode> documents, String runId) {
        return Optional.<JsonNode>ofNullable(documents.get(runId))
                .map(RunAnswer::of)
                .orElseGet(() -> RunAnswer.refused(new Refusal(RefusalCode.NOT_FOUND, "there is no run " + runId)));
    }

    private Future<RunPage> list(RunQuery question) {
        asked.add(question);
        if (refusal.apply(question).isPresent()) {
            return Future.failedFuture(new StoreUnavailableException("the event store is unavailable", null));
        }
        return Future.succeededFuture(new RunPage(
                runs.entrySet().stream()
                        .filter(run -> run.getKey().startsWith(question.prefix().orElse("")))
                        .sorted(Map.Entry.<String, ObjectNode>comparingByKey().reversed())
                        .limit(question.limit())
                        .map(run -> new RunRow(run.getKey(), "demo", "running", NOW, run.getValue()))
                        .toList(),
                Optional.empty()));
    }

    /** The scheduler knows this run from now on. */
    @CanIgnoreReturnValue
    public ObjectNode put(String runId, String status) {
        ObjectNode run = Json.MAPPER.createObjectNode();
        run.put("runId", runId).put("name", "demo").put("status", status);
        run.put("execution", 1).put("sequence", 0).put("createdAt", NOW.toString());
        runs.put(runId, run);
        return run;
    }

    @CanIgnoreReturnValue
    public ObjectNode ended(String runId, String status, String subtype, String category) {
        ObjectNode run = put(runId, status).put("resumable", !category.equals("success"));
        run.putObject("termination")
                .put("subtype", subtype)
                .put("category", category)
                .put("summary", "so it ended");
        return run;
    }

    @CanIgnoreReturnValue
    public ObjectNode paused(String runId) {
        ObjectNode run = put(runId, "paused").put("resumable", true);
        ObjectNode pause =
                run.putObject("pause").put("reason", "missing_signals").put("detail", "absent");
        pause.put("message", "no signal was left")
                .putArray("allowedActions")
                .add("retry_iteration")
                .add("continue");
        run.set("allowedActions", pause.get("allowedActions"));
        return run;
    }

    /** An event becomes durable and is reported, after which the run is this. */
    public void happens(ObjectNode runAfter, String type, ObjectNode data) {
        String runId = runAfter.path("runId").asText();
        long sequence = runs.get(runId).path("sequence").asLong() + 1;
        runAfter.put("sequence", sequence);
        runs.put(runId, runAfter);
        RunRow row = new RunRow(runId, "demo", runAfter.path("status").asText(), NOW, runAfter);
        StoredEvent event = new StoredEvent(runId, sequence, NOW, type, 1, data);
        Session.await(new CheckpointWriter(vertx.eventBus())
                .append(new AppendEvents(
                        runId, sequence - 1, 1, List.of(event), row, Optional.empty(), Optional.empty())));
    }

    /** The last request that is a command. */
    public <Q> Q last(Class<Q> kind) {
        return asked.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .reduce((one, two) -> two)
                .orElseThrow();
    }

    public boolean nothingWasDone() {
        return asked.stream().allMatch(question -> question instanceof GetRun || question instanceof RunQuery);
    }

    public static boolean commands(Object question) {
        return question instanceof StopRun || question instanceof PauseRun || question instanceof ResumeRun;
    }

    @Override
    public void close() {
        Session.await(store.close());
        Session.await(vertx.close());
        lock.close();
    }
}
