package dev.loopkeeper.notify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.FreePorts;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.CheckpointWriter;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntUnaryOperator;

/** A notifier over a real store, and a receiver that answers as instructed. */
final class NotifyHarness implements AutoCloseable {
    static final int NO_ANSWER = 0;
    /** A good status, and a body that continues until the sender hangs up. */
    static final int NO_END = -1;

    private static final int DRIP_MILLIS = 20;
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33.120Z");

    /** What the receiver was sent. */
    record Received(Map<String, String> headers, String body) {
        JsonNode json() {
            try {
                return Json.MAPPER.readTree(body);
            } catch (IOException broken) {
                throw new AssertionError(body, broken);
            }
        }

        String delivery() {
            return headers.get("x-loopkeeper-delivery");
        }
    }

    private static final Duration SOON = Duration.ofSeconds(60);

    final Vertx vertx = Vertx.vertx();
    final List<Received> received = new CopyOnWriteArrayList<>();
    /** Deliveries whose sender hung up on an answer without an end. */
    final List<String> hungUp = new CopyOnWriteArrayList<>();

    private final Path data;
    /** The runs with their asks; their other events change no row. */
    private final Map<String, RunState> states = new ConcurrentHashMap<>();

    OpenStore store;
    private HttpServer server;
    private String deployment;
    private volatile Map<String, String> answerHeaders = Map.of();
    private volatile String answerBody = "";
    private volatile IntUnaryOperator statuses = count -> 204;

    NotifyHarness(Path data) {
        this.data = data;
        open();
        server = await(vertx.createHttpServer().requestHandler(this::take).listen(FreePorts.next(), "127.0.0.1"));
    }

    private void open() {
        store = await(SqliteEventStore.open(vertx, data));
        String writer = await(vertx.deployVerticle(new EventStoreVerticle(store)));
        deployment = writer;
    }

    @CanIgnoreReturnValue
    /** The notifications that are not yet delivered. */
    List<OutboxCursor> pending() {
        return await(store.outbox()).orElseThrow().pending();
    }

    static <T> T await(Future<T> future) {
        try {
            return future.await(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError(late);
        }
    }

    private void take(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            request.headers().forEach(headers::put);
            received.add(new Received(headers, body.toString()));
            int status = statuses.applyAsInt(received.size());
            if (status == NO_END) {
                answerWithoutEnd(request, headers.get("x-loopkeeper-delivery"));
            } else if (status != NO_ANSWER) {
                answerHeaders.forEach(request.response()::putHeader);
                request.response().setStatusCode(status).end(answerBody);
            }
        });
    }

    private void answerWithoutEnd(HttpServerRequest request, String delivery) {
        request.response().setChunked(true);
        long drip = vertx.setPeriodic(DRIP_MILLIS, tick -> request.response().write("more"));
        request.connection().closeHandler(closed -> {
            vertx.cancelTimer(drip);
            hungUp.add(delivery);
        });
    }

    /** The status of the n-th answer, from 1. */
    void answer(IntUnaryOperator status) {
        statuses = status;
    }

    /** What is said beside each status. */
    void answerWith(Map<String, String> headers, String body) {
        answerHeaders = headers;
        answerBody = body;
    }

    String hook() {
        return "http://127.0.0.1:" + server.actualPort() + "/hook/very-secret-path";
    }

    /** Gives up early who does not answer or does not end. */
    NotifierOptions impatient() {
        NotifierOptions patient = options();
        return new NotifierOptions(data, Duration.ofSeconds(2), patient.attempts(), Duration.ofSeconds(2));
    }

    /** Takes the receiver away; its port refuses then. */
    void stopReceiver() {
        await(server.close());
    }

    /** Tries again soon; a receiver that answers late on a busy machine is not treated as silent. */
    NotifierOptions options() {
        return new NotifierOptions(
                data, SOON, new NotifierOptions.Attempts(4, Duration.ofMillis(50), Duration.ofMillis(100)), SOON);
    }

    String deploy(Map<String, String> environment) {
        return deploy(options(), environment);
    }

    /** A notifier that sees the store through this, and is patient: a slow machine is no reason to deliver twice. */
    String deploy(EventStore seen) {
        return deploy(seen, NotifierOptions.of(data));
    }

    /** Its store may hang for good: it is not waited for as long as in earnest when it ends. */
    String deploy(EventStore seen, NotifierOptions options) {
        NotifierOptions brief = leaving(options, Duration.ofSeconds(2));
        return await(vertx.deployVerticle(new NotifierVerticle(seen, brief, Map.of(), Duties.sole())));
    }

    /** The options of a shutdown that waits this long. */
    static NotifierOptions leaving(NotifierOptions usual, Duration within) {
        return new NotifierOptions(
                usual.data(),
                usual.timeout(),
                usual.attempts(),
                usual.commandLimit(),
                within,
                usual.publicUrl(),
                usual.spacing());
    }

    String deploy(NotifierOptions options, Map<String, String> environment) {
        return await(vertx.deployVerticle(new NotifierVerticle(store, options, environment, Duties.sole())));
    }

    void undeploy(String id) {
        await(vertx.undeploy(id));
    }

    /** Makes a run whose manifest ends with this {@code notify}. */
    void create(String runId, String notify) {
        String manifest = "name: nightly\nagents: {dev: {command: ./dev.sh, env: {TOKEN: hush}}}\n"
                + "phases: [{name: build, task: dev}]\nnotify: " + notify + "\n";
        try {
            JsonNode document = new YAMLMapper().readTree(manifest);
            Manifest read = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
            String folder = data.toString();
            RunCreated created = new RunCreated(
                    runId,
                    "nightly",
                    "n",
                    folder,
                    folder,
                    true,
                    document,
                    read,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            states.put(runId, RunMachine.create(created, NOW).state());
            append(runId, 1, "run.created", EventJson.write(created));
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    void notice(String runId, long sequence, String message) {
        append(
                runId,
                sequence,
                "notice",
                Json.MAPPER.createObjectNode().put("code", "c").put("message", message));
    }

    void happens(String runId, long sequence, RunEvent event) {
        if (event instanceof AskOpened || event instanceof AskClosed) {
            states.computeIfPresent(runId, (run, state) -> event.apply(state, NOW));
        }
        append(runId, sequence, EventTypes.of(event), EventJson.write(event));
    }

    /** The run is over for the store. */
    void end(String runId, long sequence) {
        append(runId, sequence, "run.ended", Json.MAPPER.createObjectNode(), "completed");
    }

    private void append(String runId, long sequence, String type, JsonNode data) {
        append(runId, sequence, type, data, "running");
    }

    private void append(String runId, long sequence, String type, JsonNode data, String status) {
        JsonNode view = Optional.ofNullable(states.get(runId))
                .map(state -> RunRow.of(state).view())
                .orElseGet(() -> Json.MAPPER.createObjectNode().put("runId", runId));
        await(new CheckpointWriter(vertx.eventBus())
                .append(new AppendEvents(
                        runId,
                        sequence - 1,
                        1,
                        List.of(new StoredEvent(runId, sequence, NOW, type, 1, data)),
                        new RunRow(runId, "nightly", status, NOW, view),
                        Optional.empty(),
                        Optional.empty())));
    }

    List<String> deliveries() {
        return received.stream().map(Received::delivery).toList();
    }

    @Override
    public void close() {
        await(vertx.undeploy(deployment));
        await(store.close());
        await(vertx.close());
    }
}
