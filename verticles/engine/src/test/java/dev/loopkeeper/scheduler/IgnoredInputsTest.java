package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.store.StoreSamples;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IgnoredInputsTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        StoreSamples.await(vertx.close());
    }

    @Test
    void aLineHasItsTimeAsInAllJson(@TempDir Path data) {
        new LateInputs(vertx, data).note("one", 41, "StepEnded after the end", Instant.parse("2026-11-20T15:20:11Z"));

        Path file = data.resolve("runs/one/late.jsonl");
        await().untilAsserted(() -> assertThat(file)
                .hasContent(
                        "{\"at\":\"2026-11-20T15:20:11.000Z\",\"sequence\":41,\"what\":\"StepEnded after the end\"}"));
    }
}
