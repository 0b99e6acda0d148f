package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two runs in one workspace whose agents leave their signals in the same file. */
class SharedWorkspaceTest {
    private static final String SIGNAL = ".loopkeeper/dev.json";
    /** Writes its signal as soon as there is a file {@code go-NAME}. */
    private static final String HONEST = """
            while [ ! -e "go-$1" ]; do sleep 0.1; done
            echo '{"status":"completed","usage":{"costUsd":3.5}}' > "$LOOPKEEPER_SIGNAL_FILE"
            """;

    @TempDir
    Path folder;

    private Keeper keeper(int maxRuns) throws IOException {
        Path data = folder.resolve("data");
        Keeper keeper = new Keeper(
                data,
                folder.resolve("work"),
                LoopkeeperOptions.of(data).maxRuns(maxRuns).with(new Gateway(GatewayOptions.loopback(0, data))));
        keeper.script("honest.sh", HONEST);
        return keeper;
    }

    private static String honest(String name, String signal) {
        return manifest(name, "[./honest.sh, " + name + "]", signal);
    }

    private static String silent(String name) {
        return manifest(name, "['true']", SIGNAL);
    }

    private static String manifest(String name, String command, String signal) {
        return "name: " + name + "\nagents: {dev: {command: " + command + ", onRuntimeDeath: kill, signal: '" + signal
                + "'}}\nphases: [{name: build, task: dev}]\n";
    }

    private static String created(WebApi.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.body().path("runId").asText();
    }

    private static WebApi.Answer submit(Keeper keeper, String manifest) {
        return WebApi.of(keeper).submit(manifest, keeper.workspace(), Map.of());
    }

    private static String running(Keeper keeper, String manifest) {
        String runId = created(submit(keeper, manifest));
        JsonNode run = keeper.until(runId, "running", "paused", "failed", "completed");
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("running");
        // Before its launch an old file is moved aside.
        Awaitility.await().until(() -> keeper.steps(runId).path(0).path("pid").asLong() > 0);
        return runId;
    }

    private void go(String name) throws IOException {
        Files.createFile(folder.resolve("work").resolve("go-" + name));
    }

    private static WebApi.Answer resume(Keeper keeper, String runId) {
        return WebApi.of(keeper).post("/runs/" + runId + "/resume", "{\"action\":\"retry_iteration\"}");
    }

    @Test
    void refusesASecondRunUntilTheFirstHasEnded() throws IOException {
        try (Keeper keeper = keeper(0)) {
            String first = running(keeper, honest("one", SIGNAL));

            WebApi.Answer refused = submit(keeper, honest("two", SIGNAL));

            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.code()).isEqualTo("signal-in-use");
            assertThat(refused.body().path("runId").asText()).isEqualTo(first);
            assertThat(refused.body().path("detail").asText()).contains(first, SIGNAL, "{{runId}}");
            assertThat(WebApi.of(keeper).get("/runs").body().path("runs")).hasSize(1);

            go("one");
            keeper.untilEnded(first);
            String second = running(keeper, honest("two", SIGNAL));
            go("two");
            assertThat(keeper.until(second, "completed").at("/usage/costUsd").asDouble())
                    .isEqualTo(3.5);
        }
    }

    @Test
    void aRunIdInThePathLetsBothRun() throws IOException {
        try (Keeper keeper = keeper(0)) {
            String first = running(keeper, honest("one", ".loopkeeper/{{runId}}.json"));
            String second = running(keeper, honest("two", ".loopkeeper/{{runId}}.json"));
            go("two");
            go("one");
            assertThat(keeper.until(first, "completed").path("status").asText()).isEqualTo("completed");
            assertThat(keeper.until(second, "completed").path("status").asText())
                    .isEqualTo("completed");
        }
    }

    @Test
    void neverReadsTheSignalOfAnotherRun() throws IOException {
        try (Keeper keeper = keeper(0)) {
            String mute = created(submit(keeper, silent("mute")));
            assertThat(keeper.until(mute, "paused").at("/pause/detail").asText())
                    .isEqualTo("absent");
            String other = running(keeper, honest("other", SIGNAL));

            WebApi.Answer refused = resume(keeper, mute);
            assertThat(refused.code()).isEqualTo("signal-in-use");
            assertThat(refused.body().path("runId").asText()).isEqualTo(other);

            go("other");
            keeper.untilEnded(other);
            assertThat(resume(keeper, mute).status()).isEqualTo(202);
            JsonNode again = keeper.until(mute, "paused", "completed");
            assertThat(again.at("/pause/detail").asText()).isEqualTo("absent");
            assertThat(again.at("/usage/costUsd").asDouble()).isZero();
            assertThat(afterStaleSignal(keeper, mute)).contains("completed");
        }
    }

    @Test
    void aValidSignalIsNotMovedAsideByAnotherRunThatIsResumed() throws IOException {
        try (Keeper keeper = keeper(0)) {
            String mute = created(submit(keeper, silent("mute")));
            assertThat(keeper.until(mute, "paused").path("status").asText()).isEqualTo("paused");
            keeper.script(
                    "lingers.sh",
                    "echo '{\"status\":\"completed\"}' > \"$LOOPKEEPER_SIGNAL_FILE\"\n"
                            + "while [ ! -e go-lingers ]; do sleep 0.1; done");
            String lingers = running(keeper, manifest("lingers", "[./lingers.sh]", SIGNAL));
            Path signal = keeper.workspace().resolve(SIGNAL);
            Awaitility.await().until(() -> Files.exists(signal));

            assertThat(resume(keeper, mute).code()).isEqualTo("signal-in-use");

            assertThat(signal).exists();
            go("lingers");
            assertThat(keeper.until(lingers, "paused", "completed")
                            .path("status")
                            .asText())
                    .isEqualTo("completed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sub/../.loopkeeper/dev.json",
                "link/dev.json",
                "link/../.loopkeeper/dev.json",
                "file.json",
                "chain.json",
                "hard.json"
            })
    void everyPathThatLeadsToTheSameFileIsInUse(String path) throws IOException {
        try (Keeper keeper = keeper(0)) {
            Path work = keeper.workspace();
            Files.createDirectories(work.resolve(".loopkeeper"));
            Files.createSymbolicLink(work.resolve("link"), Path.of(".loopkeeper"));
            Files.createSymbolicLink(work.resolve("file.json"), Path.of(".loopkeeper/dev.json"));
            Files.createSymbolicLink(work.resolve("chain.json"), work.resolve("link/../file.json"));
            if (path.equals("hard.json")) {
                Files.createFile(work.resolve(SIGNAL));
                Files.createLink(work.resolve(path), work.resolve(SIGNAL));
            }
            String first = running(keeper, honest("one", SIGNAL));
            if (path.equals("file.json") || path.equals("chain.json")) { // else a link that leads nowhere is refused
                Files.writeString(work.resolve(SIGNAL), "{");
            }

            WebApi.Answer refused = submit(keeper, honest("two", path));

            assertThat(refused.code()).as(refused.text()).isEqualTo("signal-in-use");
            assertThat(refused.body().path("runId").asText()).isEqualTo(first);
        }
    }

    @Test
    void aWorkspaceReachedThroughALinkIsTheSameWorkspace() throws IOException {
        try (Keeper keeper = keeper(0)) {
            Path alias = Files.createSymbolicLink(folder.resolve("alias"), keeper.workspace());
            String first = running(keeper, honest("one", SIGNAL));

            WebApi.Answer refused = WebApi.of(keeper).submit(honest("two", SIGNAL), alias, Map.of());

            assertThat(refused.code()).isEqualTo("signal-in-use");
            assertThat(refused.body().path("runId").asText()).isEqualTo(first);
        }
    }

    @Test
    void anAcceptedRunWaitsAndTheHolderIsKnownAfterARestart() throws IOException {
        String first;
        String second;
        try (Keeper keeper = keeper(1)) {
            first = running(keeper, honest("one", SIGNAL).replace("onRuntimeDeath: kill", "onRuntimeDeath: keep"));
            second = created(submit(keeper, honest("two", SIGNAL)));
            assertThat(keeper.get(second).path("status").asText()).isEqualTo("queued");
        }
        try (Keeper keeper = keeper(0)) {
            assertThat(submit(keeper, honest("three", SIGNAL)).code()).isEqualTo("signal-in-use");
            assertThat(keeper.get(second).path("status").asText()).isEqualTo("queued");
            go("one");
            assertThat(keeper.until(first, "paused", "completed").path("status").asText())
                    .isEqualTo("completed");
            go("two");
            assertThat(keeper.until(second, "paused", "completed")
                            .path("status")
                            .asText())
                    .isEqualTo("completed");
        }
    }

    @Test
    void aFileLastChangedBeforeTheLaunchIsStale() throws IOException {
        try (Keeper keeper = keeper(0)) {
            Path old = keeper.workspace().resolve("old.json");
            Files.writeString(old, "{\"status\":\"completed\",\"usage\":{\"costUsd\":3.5}}");
            // Some clocks of file systems have hundredths of a second only.
            Instant written = Files.getLastModifiedTime(old).toInstant();
            Files.setLastModifiedTime(old, FileTime.from(written.minusSeconds(1)));
            keeper.script("mover.sh", "mv old.json \"$LOOPKEEPER_SIGNAL_FILE\"");

            String mover = created(submit(keeper, manifest("mover", "[./mover.sh]", SIGNAL)));

            JsonNode paused = keeper.until(mover, "paused", "completed");
            assertThat(paused.at("/pause/reason").asText()).isEqualTo("missing_signals");
            assertThat(paused.at("/pause/detail").asText()).isEqualTo("stale");
            assertThat(paused.at("/usage/costUsd").asDouble()).isZero();
        }
    }

    private static String afterStaleSignal(Keeper keeper, String runId) throws IOException {
        List<JsonNode> steps = new ArrayList<>();
        keeper.steps(runId).forEach(steps::add);
        String last = steps.get(steps.size() - 1).path("stepId").asText();
        StepFiles step = StepFiles.of(keeper.data(), runId, last);
        return Files.readString(step.path().resolve("leftover-signal.json"));
    }
}
