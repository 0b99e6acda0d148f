package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.ClusterEvents;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.postgres.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A consumer anywhere on the clustered event bus receives the events of all nodes, each once. */
class PublishedEventsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String MANIFEST = """
            name: one
            agents: {dev: {command: ["true"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private LocalNodes nodes;
    private List<Vertx> clustered = List.of();
    private final List<JsonObject> received = new CopyOnWriteArrayList<>();

    @BeforeEach
    void prepare() {
        nodes = new LocalNodes(folder);
        clustered = await(ClusteredVertx.of(2));
        await(clustered
                .get(1)
                .eventBus()
                .<JsonObject>consumer(ClusterEvents.ADDRESS, event -> received.add(event.body()))
                .completion());
    }

    @AfterEach
    void end() {
        nodes.close();
        clustered.forEach(vertx -> await(vertx.close()));
    }

    private List<JsonObject> receivedOf(String runId) {
        return received.stream()
                .filter(event -> event.getString("runId").equals(runId))
                .toList();
    }

    private void awaitEnd(String runId) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> receivedOf(runId).stream()
                        .anyMatch(event -> event.getString("type").equals("run.ended")));
    }

    /** As the store has them. */
    private List<JsonObject> stored(String runId, String node) {
        EventStore store = await(TestDatabase.open(clustered.get(1), nodes.database.options()));
        List<JsonObject> events = new ArrayList<>();
        await(store.events(runId, 0, 1_000)).forEach(event -> {
            ObjectNode envelope = Json.MAPPER.valueToTree(event.event());
            events.add(new JsonObject(envelope.put("node", node).toString()));
        });
        return events;
    }

    @Test
    void anEmbeddersClusterReceivesTheEventsOfAllNodesOnce() throws IOException {
        LocalNodes.Node first = nodes.startIn("n1", clustered.get(0));
        LocalNodes.Node second = nodes.startIn("n2", clustered.get(1));

        String there = first.submit(MANIFEST, nodes.workspace("a"));
        String here = second.submit(MANIFEST, nodes.workspace("b"));

        awaitEnd(there);
        awaitEnd(here);
        assertThat(receivedOf(there)).isEqualTo(stored(there, "n1"));
        assertThat(receivedOf(here)).isEqualTo(stored(here, "n2"));
    }

    /** As {@code serve --cluster} joins one. */
    @Test
    void aBusOfTheNodesOwnReceivesThemToo() throws IOException {
        LocalNodes.Node node = nodes.startWith("n1", () -> Future.succeededFuture(clustered.get(0)));
        Awaitility.await().atMost(SOON).until(() -> {
            String unused = node.submit(MANIFEST, nodes.workspace("before-" + System.nanoTime()));
            return !received.isEmpty();
        });

        String runId = node.submit(MANIFEST, nodes.workspace("a"));

        awaitEnd(runId);
        assertThat(receivedOf(runId)).isEqualTo(stored(runId, "n1"));
    }
}
