package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.RunRow;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleProjectionsTest {
    @TempDir
    private Path data;

    private RunRow run(String runId, long stored, String projection) throws IOException {
        Path folder = Files.createDirectories(data.resolve("runs").resolve(runId));
        Files.writeString(folder.resolve("checkpoint.json"), projection);
        return new RunRow(
                runId,
                "x",
                "running",
                Instant.EPOCH,
                Json.MAPPER
                        .createObjectNode()
                        .put("runId", runId)
                        .put("status", "running")
                        .put("sequence", stored));
    }

    @Test
    void everyProjectionThatIsNotOfTheNewestEventIsStale() throws Exception {
        List<RunRow> runs = List.of(
                run("ahead", 7, "{\"sequence\": 9}"),
                run("behind", 7, "{\"name\": {\"sequence\": 7}, \"sequence\": 5}"),
                run("even", 7, "{\"sequence\": 7}"),
                run("unreadable", 7, "\0\0"),
                run("empty", 7, ""),
                new RunRow("none", "x", "running", Instant.EPOCH, Json.MAPPER.createObjectNode()));
        Vertx vertx = Vertx.vertx();

        assertThat(new StaleProjections(vertx, data).among(runs).await(60, TimeUnit.SECONDS))
                .containsExactly("ahead", "behind", "unreadable", "empty");

        assertThat(vertx.close().await(60, TimeUnit.SECONDS)).isNull();
    }
}
