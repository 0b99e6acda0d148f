package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.MemoryStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostEventsTest {
    @TempDir
    private Path data;

    private RunRow run(String runId, long stored, String projection) throws IOException {
        project(runId, projection);
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

    private void project(String runId, String projection) throws IOException {
        Path folder = Files.createDirectories(data.resolve("runs").resolve(runId));
        Files.writeString(folder.resolve("checkpoint.json"), projection);
    }

    @Test
    void aProjectionAheadOfTheStoreTellsOfLostEventsAndNothingElseDoes() throws Exception {
        List<RunRow> runs = List.of(
                run("lost", 7, "{\"sequence\": 9}"),
                run("behind", 7, "{\"sequence\": 5}"),
                run("even", 7, "{\"sequence\": 7}"),
                run("unreadable", 7, "\0\0"),
                new RunRow("none", "x", "running", Instant.EPOCH, Json.MAPPER.createObjectNode()));
        Vertx vertx = Vertx.vertx();

        assertThat(new LostEvents(vertx, new MemoryStore(vertx), data)
                        .compare(runs)
                        .await(60, TimeUnit.SECONDS))
                .isEqualTo(new LostEvents.Compared(1, List.of("behind", "unreadable")));

        assertThat(vertx.close().await(60, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void aRunWithAProjectionThatTheStoreDoesNotKnowIsReported() throws Exception {
        Vertx vertx = Vertx.vertx();
        RunRow known = run("ended", 7, "{\"sequence\": 7}");
        project("forgotten", "{\"sequence\": 7}");
        project(".removed-r", "{\"sequence\": 7}");
        EventStore store = new MemoryStore(vertx);
        StoredEvent event = new StoredEvent("ended", 1, Instant.EPOCH, "notice", 1, known.view());
        AppendEvents append =
                new AppendEvents("ended", 0, 1, List.of(event), known, Optional.empty(), Optional.empty());
        assertThat(store.append(append).await(60, TimeUnit.SECONDS)).isNotNull();

        assertThat(new LostEvents(vertx, store, data).unknown(Set.of()).await(60, TimeUnit.SECONDS))
                .isEqualTo(1);

        assertThat(vertx.close().await(60, TimeUnit.SECONDS)).isNull();
    }
}
