package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRetentionTest {
    private static final String SAYS = """
            name: says
            agents: {one: {command: "echo hello"}}
            phases: [{name: say, task: one}]
            """;
    private static final String ASKS = """
            name: asks
            agents: {one: {command: "echo hello", signal: nothing.json}}
            phases: [{name: ask, task: one}]
            """;

    @TempDir
    private Path folder;

    @Test
    void oldLogsOfEndedRunsGoAndThoseOfOpenRunsStay() throws IOException {
        Path data = folder.resolve("data");
        Path fresh;
        Path old;
        Path open;
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"))) {
            fresh = ended(keeper);
            old = ended(keeper);
            String asks = keeper.start(ASKS);
            assertThat(keeper.until(asks, "paused").path("pause").path("reason").asText())
                    .isEqualTo("missing_signals");
            open = log(keeper, asks);
        }
        for (Path log : List.of(old, open, old.resolveSibling("context.json"))) {
            Files.setLastModifiedTime(log, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        }
        LoopkeeperOptions options = LoopkeeperOptions.of(data).keepLogs(Duration.ofHours(1));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            keeper.untilEnded(keeper.start(SAYS));
            assertThat(old).as("its run ended less than an hour ago").exists();
        }
        try (Keeper keeper = new Keeper(
                data, folder.resolve("workspace"), LoopkeeperOptions.of(data).keepLogs(Duration.ofMillis(200)))) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !Files.exists(old) && !Files.exists(fresh));
            assertThat(open).exists();
            assertThat(open.resolveSibling("context.json")).exists();
            assertThat(old.resolveSibling("context.json")).doesNotExist();
            assertThat(old.resolveSibling("request.json")).exists();
            assertThat(keeper.data()).isEqualTo(data);
        }
    }

    private static Path ended(Keeper keeper) {
        String runId = keeper.start(SAYS);
        keeper.untilEnded(runId);
        return log(keeper, runId);
    }

    private static Path log(Keeper keeper, String runId) {
        String stepId = keeper.steps(runId).get(0).path("stepId").asText();
        return keeper.data()
                .resolve("runs")
                .resolve(runId)
                .resolve("steps")
                .resolve(stepId)
                .resolve("stdout.log");
    }
}
