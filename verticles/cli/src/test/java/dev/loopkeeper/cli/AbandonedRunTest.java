package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose server died, while no server serves it. */
class AbandonedRunTest {
    private static final Instant START = Instant.parse("2026-11-20T15:12:33.120Z");

    @TempDir
    Path data;

    @Test
    void itsActiveTimeEndsWithItsNewestEvent() throws IOException {
        Terminal terminal = abandoned();

        assertThat(terminal.type("show", "one", "--json")
                        .json()
                        .path("activeMs")
                        .asLong())
                .isEqualTo(47_000);
        assertThat(terminal.type("runs", "--json").json().at("/runs/0/activeMs").asLong())
                .isEqualTo(47_000);
    }

    /** The command was named twice or not at all. */
    @Test
    void eachCommandNamesTheResumeOnce() throws IOException {
        Terminal terminal = abandoned();
        String resume = "resume it with: loopkeeper resume one";

        Terminal.CommandOutput shown = terminal.type("show", "one");
        assertThat(shown.out())
                .contains("no process executes it; at work when its process ended: p.1.dev.1")
                .containsOnlyOnce(resume)
                .doesNotContain("follow the log");
        assertThat(shown.err())
                .isEqualTo("loopkeeper: no process executes this run, although its recorded status is running\n");
        Terminal.CommandOutput waited = terminal.type("wait", "one");
        assertThat(waited.exitCode()).isEqualTo(7);
        assertThat(waited.err())
                .startsWith("loopkeeper: no process executes one; ")
                .contains(", or all open runs with: loopkeeper serve")
                .containsOnlyOnce(resume)
                .doesNotContain("although");
    }

    /** It ended with 0 in the middle of the output. */
    @Test
    void followingALogEndsWithAMessageWithoutAServer() throws IOException {
        Terminal terminal = abandoned();
        Path log = data.resolve("runs/one/steps/p.1.dev.1/stdout.log");
        Files.createDirectories(log.getParent());
        Files.writeString(log, "so far\n");

        for (List<String> step : List.of(List.<String>of(), List.of("p.1.dev.1"))) {
            List<String> words = new ArrayList<>(List.of("logs", "one", "-f"));
            words.addAll(step);
            Terminal.CommandOutput followed = terminal.type(words.toArray(String[]::new));
            assertThat(followed.out()).isEqualTo("so far\n");
            assertThat(followed.err()).contains("no server serves").contains("loopkeeper logs one -f");
            assertThat(followed.exitCode()).isEqualTo(7);
        }
        assertThat(terminal.type("logs", "one").exitCode()).isZero();
    }

    private Terminal abandoned() throws IOException {
        Vertx vertx = Vertx.vertx();
        OwnerLock lock = new DataFolder(data).prepare().own();
        OpenStore store = SqliteEventStore.open(vertx, data).await();
        store.append(running()).await();
        store.close().await();
        lock.close();
        vertx.close().await();
        return new Terminal(data);
    }

    private static AppendEvents running() throws IOException {
        ObjectNode run = Json.MAPPER.createObjectNode();
        run.put("runId", "one").put("name", "demo").put("status", "running").put("resumable", true);
        run.put("execution", 1).put("sequence", 3).put("createdAt", START.toString());
        run.putArray("openSteps").addObject().put("stepId", "p.1.dev.1").put("agent", "dev");
        run.put("activeMs", 5_000).put("activeSince", START.toString());
        RunRow row = new RunRow("one", "demo", "running", START, run);
        StepPosition position = new StepPosition(StepKind.TASK, "p", Optional.empty(), Optional.empty(), 0);
        JsonNode document = Json.MAPPER.readTree("{\"name\": \"demo\", \"agents\": {\"dev\": {\"command\": \"true\"}},"
                + " \"phases\": [{\"name\": \"p\", \"task\": \"dev\"}]}");
        RunCreated created = new RunCreated(
                "one",
                "demo",
                "nonce",
                "/w",
                "/w",
                true,
                document,
                ((ManifestReading.Valid) ManifestReader.read(document)).manifest(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        StepStarted started =
                new StepStarted("p.1.dev.1", "dev", 1, "nonce", position, Optional.empty(), Optional.empty());
        List<StoredEvent> events = List.of(
                event(1, created, START),
                event(2, started, START),
                event(3, Notice.of("demo", "at work"), START.plusSeconds(42)));
        return new AppendEvents("one", 0, 1, events, row, Optional.empty(), Optional.empty());
    }

    private static StoredEvent event(int sequence, RunEvent event, Instant at) {
        return new StoredEvent("one", sequence, at, EventTypes.of(event), 1, EventJson.write(event));
    }
}
