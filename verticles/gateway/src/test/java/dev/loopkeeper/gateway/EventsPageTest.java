package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 120 events of 120 KB were built as one text, for which a heap of 256 MiB was too small. */
class EventsPageTest {
    private static final int EVENTS = 120;

    @TempDir
    Path data;

    private GatewayFixture fixture;

    @BeforeEach
    void aRunWithLargeSignals() {
        fixture = GatewayFixture.plain(data);
        for (long sequence = 1; sequence <= EVENTS; sequence++) {
            StoredEvent small = TestRuns.event("run-1", sequence, "step.signal");
            JsonNode data = JsonNodeFactory.instance.objectNode().put("note", "ü".repeat(60_000));
            fixture.happens(
                    new StoredEvent("run-1", sequence, small.at(), small.type(), 1, data),
                    TestRuns.run("run-1", "running"));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aPageEndsAtFourMebibytesWithACursor() {
        List<Long> found = new ArrayList<>();
        long since = 0;
        while (found.size() < EVENTS) {
            HttpResponse<Buffer> answer = fixture.get("/runs/run-1/events?limit=1000&since=" + since);
            assertThat(answer.body().length()).isBetween(100_000, EventsPage.MOST_BYTES);
            JsonNode page = GatewayFixture.json(answer);
            page.path("events")
                    .forEach(event -> found.add(event.path("sequence").asLong()));
            since = page.path("nextSince").asLong();
        }

        assertThat(found)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, EVENTS).boxed().toList());
        assertThat(fixture.get("/runs/run-1/events?since=" + since).bodyAsString())
                .isEqualTo("{\"events\":[],\"nextSince\":" + EVENTS + "}");
    }

    @Test
    void aLimitHoldsAcrossThePiecesOfAPage() {
        JsonNode page = GatewayFixture.json(fixture.get("/runs/run-1/events?limit=7"));

        assertThat(page.path("events")).hasSize(7);
        assertThat(page.path("nextSince").asInt()).isEqualTo(7);
    }

    @Test
    void aHeadRequestGetsNoBody() {
        HttpResponse<Buffer> answer = GatewayFixture.soon(
                fixture.request(HttpMethod.HEAD, "/runs/run-1/events").send());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isNull();
    }

    @Test
    void anUnknownRunIsNotFound() {
        assertThat(fixture.get("/runs/none/events").statusCode()).isEqualTo(404);
    }
}
