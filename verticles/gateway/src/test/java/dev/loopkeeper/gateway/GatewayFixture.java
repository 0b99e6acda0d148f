package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.store.CheckpointWriter;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.EventStoreVerticle;
import dev.loopkeeper.store.MemoryStore;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.PolicyVerticle;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.submit.Submission;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.ext.web.client.impl.ClientPhase;
import io.vertx.ext.web.client.impl.HttpContext;
import io.vertx.ext.web.client.impl.WebClientInternal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** A gateway on a free port, with a scheduler and a store behind it that the test holds in its hand. */
public final class GatewayFixture implements AutoCloseable {
    public final Vertx vertx = Vertx.vertx();
    /** The page of runs that the store lists. */
    volatile RunPage listed = new RunPage(List.of(), Optional.empty());

    /** Fails the next read of a run; null for none. */
    final AtomicReference<RuntimeException> nextFindFailure = new AtomicReference<>();

    public final MemoryStore store = new MemoryStore(vertx) {
        @Override
        public Future<Optional<RunRow>> find(String runId) {
            RuntimeException failure = nextFindFailure.getAndSet(null);
            return failure == null ? super.find(runId) : Future.failedFuture(failure);
        }

        @Override
        public Future<RunPage> list(RunQuery query) {
            scheduler.asked.add(query);
            return Future.succeededFuture(listed);
        }
    };
    /** Where what happens is appended, and so published. */
    public final CheckpointWriter bus = new CheckpointWriter(vertx.eventBus());

    public final FakeScheduler scheduler = new FakeScheduler();
    public final GatewayVerticle gateway;
    final WebClient client;
    private final Contract contract = Contract.ofProgram();
    private final List<String> breaches = new CopyOnWriteArrayList<>();
    public final WebSocketClient sockets = vertx.createWebSocketClient(new WebSocketClientOptions()
            .setMaxMessageSize(16 << 20)
            .setMaxConnections(1000)
            .setClosingTimeout(1));
    public volatile boolean draining;
    public volatile ManifestIntake intake = (manifest, options) -> Future.succeededFuture(
            new Submission.Accepted(manifest, null, options.workspace().orElse("/work"), "/work", List.of()));

    /** As it was sent; what it reads to is nothing that the gateway checks. */
    public static Submission accepted(JsonNode document, String workspace, ManifestProblem... warnings) {
        return new Submission.Accepted(document, null, workspace, workspace, List.of(warnings));
    }

    public GatewayFixture(Path data, UnaryOperator<GatewayOptions> change) {
        RecordCodec.register(vertx);
        GatewayOptions options = change.apply(GatewayOptions.loopback(0, data).patient(Duration.ofSeconds(60)));
        GatewayPorts ports =
                new GatewayPorts(store, (manifest, overlay) -> intake.read(manifest, overlay), () -> draining, 0);
        gateway = new GatewayVerticle(options, ports);
        soon(scheduler.serve(vertx.eventBus()).compose(serving -> vertx.deployVerticle(gateway)));
        soon(vertx.deployVerticle(new PolicyVerticle(new PolicyKeeper(vertx, store), false)));
        soon(vertx.deployVerticle(new EventStoreVerticle(store)).compose(serving -> gateway.open()));
        client = WebClient.create(
                vertx, new WebClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(gateway.port()));
        ((WebClientInternal) client).addInterceptor(this::judge);
    }

    /** Every answer that a test gets is held against the OpenAPI document; {@link #close} reports what is not in it. */
    private void judge(HttpContext<?> context) {
        // The document describes HEAD by its GET.
        boolean described = !context.request().method().equals(HttpMethod.HEAD);
        if (described && context.phase() == ClientPhase.DISPATCH_RESPONSE) {
            HttpResponse<?> answer = context.response();
            try {
                contract.check(
                        context.request().method().name(),
                        context.request().uri(),
                        answer.statusCode(),
                        answer.getHeader("Content-Type"),
                        answer.bodyAsString());
            } catch (AssertionError | RuntimeException otherwise) {
                breaches.add(otherwise.toString());
            }
        }
        context.next();
    }

    public static GatewayFixture plain(Path data) {
        return new GatewayFixture(data, options -> options);
    }

    /** Waits for it, but not for long. */
    @CanIgnoreReturnValue
    public static <T> T soon(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError(failed.getMessage(), failed);
        }
    }

    public HttpRequest<Buffer> request(HttpMethod method, String path) {
        return client.request(method, path.startsWith("/api") || path.startsWith("!") ? bare(path) : "/api/v1" + path);
    }

    private static String bare(String path) {
        return path.startsWith("!") ? path.substring(1) : path;
    }

    public HttpResponse<Buffer> get(String path) {
        return soon(request(HttpMethod.GET, path).send());
    }

    public HttpResponse<Buffer> post(String path, String json) {
        return post(path, json, Map.of());
    }

    HttpResponse<Buffer> post(String path, String json, Map<String, String> headers) {
        HttpRequest<Buffer> request = request(HttpMethod.POST, path);
        headers.forEach(request::putHeader);
        return soon(request.putHeader("Content-Type", "application/json").sendBuffer(Buffer.buffer(json)));
    }

    public static JsonNode json(HttpResponse<Buffer> response) {
        try {
            return Json.MAPPER.readTree(response.bodyAsString());
        } catch (IOException notJson) {
            throw new AssertionError(response.bodyAsString(), notJson);
        }
    }

    /** Makes an event durable, with the run as it is afterwards, and published. */
    void happens(StoredEvent event, ObjectNode runAfter) {
        soon(bus.append(TestRuns.append(event, runAfter)));
    }

    @Override
    public void close() {
        soon(vertx.close());
        assertThat(breaches)
                .as("answers that the OpenAPI document does not describe")
                .isEmpty();
    }
}
