package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.SmallRepository;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merges of a run's branch over HTTP, into a real checkout. */
class MergeRouteTest {
    private static final int CLIENTS = 4;
    private static final String MANIFEST =
            "{name: work, isolation: {git: %s}, agents: {dev: {command: 'echo more >> new.txt'}}, phases: [{name: a, task: dev}]}";

    @TempDir
    private Path folder;

    private SmallRepository repository;
    private Keeper keeper;
    private WebApi api;
    private String merge;

    @BeforeEach
    void run() throws IOException {
        Path data = folder.resolve("data");
        repository = SmallRepository.in(folder.resolve("work"));
        keeper = new Keeper(
                data,
                repository.folder(),
                LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data))));
        api = WebApi.of(keeper);
        merge = ended("worktree") + "/merge";
    }

    @AfterEach
    void end() {
        keeper.close();
    }

    private String ended(String isolation) {
        String runId = api.submit(MANIFEST.formatted(isolation), keeper.workspace(), Map.of())
                .body()
                .path("runId")
                .asText();
        keeper.untilEnded(runId);
        return "/runs/" + runId;
    }

    @Test
    void fourClientsAtOnceMergeARunOnce() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<CompletableFuture<WebApi.Answer>> answers = IntStream.range(0, CLIENTS)
                    .mapToObj(client -> CompletableFuture.supplyAsync(() -> api.post(merge, "{}"), clients))
                    .toList();
            int merged = 0;
            for (CompletableFuture<WebApi.Answer> each : answers) {
                WebApi.Answer answer = each.get(1, TimeUnit.MINUTES);
                assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
                merged += answer.body().path("already").booleanValue() ? 0 : 1;
            }
            assertThat(merged).isEqualTo(1);
        } finally {
            clients.shutdown();
        }
        assertThat(repository.folder().resolve("new.txt")).hasContent("more");
        assertThat(repository.git("status", "--porcelain")).isEmpty();
    }

    @Test
    void aDryRunNamesConflictsAndAnUncleanCheckoutIsRefused() throws IOException {
        Files.writeString(repository.folder().resolve("list.txt"), "not committed\n");
        WebApi.Answer unclean = api.post(merge, "{\"dryRun\": true}");
        assertThat(unclean.status()).as(unclean.body().toString()).isEqualTo(409);

        repository.git("checkout", "--", ".");
        Files.writeString(repository.folder().resolve("new.txt"), "mine\n");
        repository.git("add", "--all");
        repository.git("commit", "--quiet", "--message", "mine");
        assertThat(api.post(merge, "{\"dryRun\": true}")
                        .body()
                        .at("/conflicts/0")
                        .asText())
                .isEqualTo("new.txt");
        assertThat(api.post(merge, "{}").body().at("/conflicts/0").asText()).isEqualTo("new.txt");
        assertThat(repository.folder().resolve("new.txt")).hasContent("mine");
        assertThat(repository.git("status", "--porcelain")).isEmpty();
    }

    @Test
    void badRequestsAreRefusedBeforeAnythingIsMerged() throws IOException {
        assertThat(api.post("/runs/no-such-run/merge", "{}").status()).isEqualTo(404);
        assertThat(api.post(merge, "{\"sqash\": true}").code()).isEqualTo("invalid-request");
        assertThat(api.post(merge, "{\"squash\": 1}").code()).isEqualTo("invalid-request");
        assertThat(repository.folder().resolve("new.txt")).doesNotExist();
        assertThat(api.post(ended("none") + "/merge", "{}").code()).isEqualTo("no-worktree");
    }
}
