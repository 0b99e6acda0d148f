package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.ServedNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve --max-runs}. */
class RunSlotsIT {
    private static final int RUNS = 12;
    private static final int PLACES = 2;
    private static final String SHORT = """
            name: short
            agents: {one: {command: "sleep 0.2"}}
            phases: [{name: only, task: one}]
            """;

    @TempDir
    private Path folder;

    /** All that came before the first start was durable used to get a place. */
    @Test
    void runsSubmittedAtOnceTakeNoMoreThanTheirSlots() throws Exception {
        try (ServedNode server = new ServedNode(folder.resolve("data"), "--max-runs", String.valueOf(PLACES))) {
            Api api = Api.of(server);
            submitAtOnce(api);
            Awaitility.await().until(() -> {
                JsonNode runs = api.get("/runs?limit=100").path("runs");
                assertThat(with(runs, "running")).isLessThanOrEqualTo(PLACES);
                return with(runs, "completed") == RUNS;
            });
        }
    }

    private void submitAtOnce(Api api) {
        ExecutorService clients = Executors.newFixedThreadPool(RUNS);
        try {
            List<CompletableFuture<Void>> submitted = new ArrayList<>();
            for (int run = 0; run < RUNS; run++) {
                submitted.add(CompletableFuture.runAsync(() -> submit(api), clients));
            }
            submitted.forEach(CompletableFuture::join);
        } finally {
            clients.shutdown();
        }
    }

    private void submit(Api api) {
        try {
            assertThat(api.submit(SHORT, folder)).isNotEmpty();
        } catch (Exception refused) {
            throw new AssertionError(refused);
        }
    }

    private static int with(JsonNode runs, String status) {
        int count = 0;
        for (JsonNode run : runs) {
            count += run.path("status").asText().equals(status) ? 1 : 0;
        }
        return count;
    }
}
