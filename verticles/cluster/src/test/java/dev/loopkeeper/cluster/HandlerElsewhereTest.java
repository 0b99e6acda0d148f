package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.view.Run;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler by an address of a clustered event bus, on another node than its run. */
class HandlerElsewhereTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String MANIFEST = """
            name: one
            agents: {dev: {handler: {address: reviews}, timeout: 1m, stop: {grace: 500ms}}}
            phases: [{name: a, task: dev}]
            """;

    @TempDir
    private Path folder;

    private List<Vertx> nodes = List.of();
    private Loopkeeper keeper;

    @BeforeEach
    void prepare() throws Exception {
        nodes = await(ClusteredVertx.of(2));
        Files.createDirectories(folder.resolve("w"));
        keeper = await(Loopkeeper.start(nodes.get(0), LoopkeeperOptions.of(folder.resolve("data"))));
    }

    @AfterEach
    void end() {
        await(keeper.close());
        nodes.forEach(vertx -> await(vertx.close()));
    }

    private String submit() {
        return await(keeper.submit(MANIFEST, RunOptions.DEFAULTS.workspace(folder.resolve("w"))))
                .runId();
    }

    @Test
    void answersTheStepOfAnotherNode() {
        Queue<JsonObject> asked = new ConcurrentLinkedQueue<>();
        await(nodes.get(1)
                .eventBus()
                .<JsonObject>consumer("reviews", request -> {
                    asked.add(request.body());
                    request.reply(new JsonObject().put("verdict", "approved"));
                })
                .completion());

        Run run = await(keeper.awaitEnd(submit(), SOON));

        assertThat(run.status().wire()).isEqualTo("completed");
        assertThat(asked)
                .singleElement()
                .satisfies(request -> assertThat(request.getString("runId")).isEqualTo(run.runId()));
    }

    @Test
    void learnsOfAStopOfAnotherNode() {
        Queue<String> cancelled = new ConcurrentLinkedQueue<>();
        var bus = nodes.get(1).eventBus();
        Queue<Message<JsonObject>> open = new ConcurrentLinkedQueue<>();
        await(bus.<JsonObject>consumer("reviews.cancelled", stop -> {
                    cancelled.add(stop.body().getString("stepId"));
                    open.remove().reply(new JsonObject().put("verdict", "failed"));
                })
                .completion());
        await(bus.<JsonObject>consumer("reviews", open::add).completion());
        String run = submit();
        Awaitility.await().atMost(SOON).until(() -> !open.isEmpty());

        await(keeper.stop(run, ""));

        assertThat(await(keeper.awaitEnd(run, SOON)).status().wire()).isEqualTo("stopped");
        assertThat(cancelled).containsExactly("a.dev.1");
    }
}
