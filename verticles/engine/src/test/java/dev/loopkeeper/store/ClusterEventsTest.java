package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.json.Json;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the other bus receives of the events of an engine; both are in this JVM. */
class ClusterEventsTest {
    private final Vertx engine = Vertx.vertx();
    private final Vertx bus = Vertx.vertx();
    private final List<JsonObject> received = new CopyOnWriteArrayList<>();

    @BeforeEach
    void publish() {
        RecordCodec.register(engine);
        await(bus.eventBus()
                .<JsonObject>consumer(ClusterEvents.ADDRESS, event -> received.add(event.body()))
                .completion());
        await(ClusterEvents.publish(engine, bus, "n1").completion());
    }

    @AfterEach
    void close() {
        await(engine.close());
        await(bus.close());
    }

    private void happens(StoredEvent event) {
        StoreChannels.OWN_EVENTS.publish(engine.eventBus(), new PositionedEvent(event.sequence(), event));
    }

    private static StoredEvent sample(long sequence, JsonNode data) {
        StoredEvent like = append("run-1", 0, 1).events().get(0);
        return new StoredEvent("run-1", sequence, like.at(), "run.created", 1, data);
    }

    private void awaitSequences(Long... sequences) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(received)
                        .extracting(event -> event.getLong("sequence"))
                        .containsExactly(sequences));
    }

    @Test
    void anEventIsTheEnvelopeOfTheFeedWithTheNameOfItsNode() {
        StoredEvent event = append("run-1", 0, 1).events().get(0);
        happens(event);

        awaitSequences(1L);
        JsonObject envelope = received.get(0);
        assertThat(envelope.fieldNames())
                .isEqualTo(Set.of("runId", "sequence", "at", "type", "execution", "data", "node"));
        assertThat(envelope.getString("node")).isEqualTo("n1");
        JsonNode written = Json.MAPPER.valueToTree(event);
        assertThat(envelope.getString("at")).isEqualTo(written.path("at").textValue());
        assertThat(envelope.getJsonObject("data").encode())
                .isEqualTo(written.path("data").toString());
    }

    @Test
    void aLargeEventKeepsItsPlaceAmongSmallOnes() {
        ObjectNode large = Json.MAPPER.createObjectNode().put("text", "x".repeat(1 << 20));
        happens(sample(1, Json.MAPPER.createObjectNode()));
        happens(sample(2, large));
        happens(sample(3, Json.MAPPER.createObjectNode()));

        awaitSequences(1L, 2L, 3L);
    }

    @Test
    void whatTheFeedHidesIsHiddenHereToo() throws Exception {
        happens(sample(1, Json.MAPPER.readTree("""
                {"manifest": {"agents": {"dev": {"command": ["x"], "env": {"KEY": "secret"}}}}}
                """)));

        awaitSequences(1L);
        assertThat(received.get(0).encode()).contains("KEY").doesNotContain("secret");
    }
}
