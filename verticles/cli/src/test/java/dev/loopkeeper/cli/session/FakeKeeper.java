package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.data.ServerAddress;
import dev.loopkeeper.gateway.FakeScheduler;
import dev.loopkeeper.gateway.GatewayPorts;
import dev.loopkeeper.gateway.GatewayVerticle;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.pool.PoolInput;
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
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A real gateway and a real store with a scheduler that says what the test wants; it owns a data folder. */
public final class FakeKeeper extends FakeScheduler implements AutoCloseable {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33.120Z");

    final Vertx vertx = Vertx.vertx();
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
        Session.await(serve(vertx.eventBus())
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

    /** A run explains itself by its own fields. */
    @Override
    protected RunAnswer explain(String runId) {
        return run(runId);
    }

    private Future<RunPage> list(RunQuery question) {
        asked.add(question);
        if (refusal.apply(question).isPresent()) {
            return Future.failedFuture(new StoreUnavailableException("the event store is unavailable", null));
        }
        return Future.succeededFuture(new RunPage(
                runs.entrySet().stream()
                        .filter(run -> run.getKey().startsWith(question.prefix().orElse("")))
                        .sorted(Map.Entry.<String, JsonNode>comparingByKey().reversed())
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
