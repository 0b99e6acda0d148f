package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.chaos.SmallDisk;
import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no new file, while those that are there can grow: the store continues, no agent can be launched. */
class FullDiskIT {
    private static final int MOST_FILES = 400;

    /**
     * Takes all files but those that the record of its own end needs. It prints, so that its logs stay: the few files that a
     * finished step frees are fewer than a launch needs.
     */
    private static final String HOARDER = """
            echo hoarding; echo hoarding >&2
            mkdir data/hoard
            i=0
            while true 2>/dev/null > data/hoard/$i; do i=$((i + 1)); done
            cd data/hoard && rm -f 10 11
            """;

    private static final String MANIFEST = """
        name: full
        agents: {hoarder: {command: ./hoarder.sh}, dev: {command: ./dev.sh, prompt: dev.md}}
        phases:
          - {name: fill, task: hoarder}
          - {name: work, critical: false, task: dev}
        """;

    private static final String STOPPED = """
        name: stopped
        agents: {dev: {command: ./dev.sh, signal: signal.json}, next: {command: ./next.sh}}
        phases:
          - {name: work, task: dev}
          - {name: then, task: next}
        """;

    private static final String LARGE =
            "{name: large, vars: {note: %s}, agents: {a: {command: 'true'}}, phases: [{name: p, task: a}]}";

    @TempDir
    private Path folder;

    private Agents agents;
    private Optional<SmallDisk> disk = Optional.empty();

    @BeforeEach
    void mount() throws Exception {
        agents = new Agents(folder);
        disk = SmallDisk.ofFiles(agents.data(), MOST_FILES);
        assumeTrue(disk.isPresent(), "only root may mount a disk");
        agents.script("hoarder", HOARDER);
        agents.script("dev", "exit 0");
        Files.writeString(folder.resolve("dev.md"), "Work.");
    }

    @AfterEach
    void unmount() throws Exception {
        if (disk.isPresent()) {
            disk.get().close();
        }
    }

    /** It ended {@code completed}: the phase was not critical, and so was the launch that failed. */
    @Test
    void aFullDiskFailsNoWorkAndCompletesNone() throws Exception {
        Terminal.CommandOutput run = agents.run("full-1", MANIFEST);

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
        JsonNode shown = agents.show("full-1");
        assertThat(shown.at("/termination/subtype").asText()).as(run.out()).isEqualTo("error_infrastructure");
        assertThat(shown.at("/termination").toString())
                .contains("dev could not be launched")
                .contains("No space left on device")
                .contains("free disk space");
        assertThat(agents.launches("dev")).isZero();

        Path hoard = agents.data().resolve("hoard");
        try (Stream<Path> files = Files.list(hoard)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Terminal.CommandOutput resumed = agents.type("resume", "full-1", "--acknowledge");

        assertThat(resumed.exitCode()).as(resumed.out() + resumed.err()).isZero();
        assertThat(agents.show("full-1").at("/status").asText()).isEqualTo("completed");
        assertThat(agents.launches("dev")).isEqualTo(1);
        assertThat(agents.launches("hoarder")).isEqualTo(1);
    }

    /** The run ended as failed, no event named the operator, and the finished step was launched again. */
    @Test
    void recordsAStopAfterTheOutageAndRepeatsNoStep() throws Exception {
        agents.script("dev", "until [ -f go ]; do sleep 0.1; done\n\"$LOOPKEEPER_SIGNAL\" --determination SUCCESS\n");
        agents.script("next", "exit 0");
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);
            String runId = api.submit(STOPPED, folder);
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> agents.launches("dev") == 1);
            disk.orElseThrow().fill(0);
            Files.createFile(folder.resolve("go"));
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> api.get("/processes").path("processes").isEmpty());
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> server.output().contains("the event store"));
            Api.Answer stop = api.post("/runs/" + runId + "/stop", Json.MAPPER.createObjectNode());
            assertThat(stop.status()).as(stop.toString()).isEqualTo(503);
            disk.orElseThrow().empty();

            JsonNode termination = api.until(runId, "stopped", "failed").path("termination");
            assertThat(termination.path("subtype").asText()).isEqualTo("error_operator_stop");
            assertThat(termination.path("alsoTriggered").toString()).isEqualTo("[\"infrastructure\"]");
            List<JsonNode> events = api.events(runId);
            assertThat(Agents.of(events, "stop")).hasSize(1);
            assertThat(events)
                    .extracting(event -> Instant.parse(event.path("at").asText()))
                    .isSorted();
            assertThat(Agents.of(events, "step.finished").toString()).contains("its exit could not be recorded in");
            api.post("/runs/" + runId + "/resume", Json.MAPPER.createObjectNode());
            api.until(runId, "completed");
            assertThat(agents.launches("dev")).isEqualTo(1);
            assertThat(agents.launches("next")).isEqualTo(1);
        }
    }

    /** A page could still be written, which was all that the probe tried, while every submit was refused. */
    @Test
    void theReadinessProbeSaysSoUntilThereIsSpaceAgain() throws Exception {
        ObjectNode submit = Json.MAPPER.createObjectNode();
        submit.put("workspace", folder.toString()).put("manifest", LARGE.formatted("x".repeat(200_000)));
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);
            assertThat(api.get("/health/ready").path("status").asText()).isEqualTo("ready");
            disk.orElseThrow().fill(64 << 10);
            assertThat(api.post("/runs", submit).status()).isEqualTo(503);

            assertThat(api.get("/health/ready").path("detail").asText()).contains("No space left on device");
            disk.orElseThrow().empty();
            assertThat(api.get("/health/ready").path("status").asText()).isEqualTo("ready");
            assertThat(api.post("/runs", submit).status()).isEqualTo(201);
        }
    }
}
