package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start finds and what it records of that. */
class RecoveryTest {
    private static final int RUNS = 30;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sleep, "600"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private Keeper open() throws IOException {
        return new Keeper(folder.resolve("data"), folder.resolve("workspace"));
    }

    private static void awaitAgent(Keeper keeper, String runId) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.steps(runId).path(0).path("pid").asLong() > 0);
    }

    @Test
    void startingAgainWithNothingChangedRecordsNothing() throws IOException {
        String runId;
        try (Keeper first = open()) {
            runId = first.start(SLEEPER);
            awaitAgent(first, runId);
        }
        List<StoredEvent> once;
        try (Keeper second = open()) {
            awaitAgent(second, runId);
            once = second.events(runId);
            assertThat(once.get(once.size() - 1).data().path("code").asText()).isEqualTo("recovered");
        }
        for (int start = 0; start < 2; start++) {
            try (Keeper again = open()) {
                awaitAgent(again, runId);
                assertThat(again.events(runId)).isEqualTo(once);
            }
        }
        try (Keeper last = open()) {
            assertThat(last.stop(runId, true).refusal()).isEmpty();
            last.untilEnded(runId);
        }
    }

    @Test
    void writesTheCheckpointOfARunThatEndedJustBeforeAKill() throws IOException {
        String runId;
        try (Keeper first = open()) {
            runId = first.start("""
                    name: last
                    agents: {dev: {command: "true"}}
                    phases: [{name: only, task: dev}]
                    """);
            first.untilEnded(runId);
        }
        Path checkpoint = folder.resolve("data/runs/" + runId + "/checkpoint.json");
        String written = Files.readString(checkpoint);
        Files.writeString(checkpoint, written.replaceFirst("\"sequence\" : [0-9]+", "\"sequence\" : 2"));

        try (Keeper second = open()) {
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> Files.readString(checkpoint).equals(written));
            assertThat(second.lastPosition()).isEqualTo(second.events(runId).size());
        }
        Files.delete(checkpoint);
        try (Keeper third = open()) {
            Awaitility.await().atMost(SOON).until(() -> Files.exists(checkpoint));
            assertThat(third.get(runId).path("status").asText()).isEqualTo("completed");
        }
    }

    @Test
    void writesTheCheckpointOfARunThatPausedJustBeforeAKill() throws IOException {
        String runId;
        try (Keeper first = open()) {
            runId = first.start("""
                    name: asks
                    agents: {dev: {command: "true", signal: never.json}}
                    phases: [{name: only, task: dev}]
                    """);
            first.until(runId, "paused");
        }
        Path checkpoint = folder.resolve("data/runs/" + runId + "/checkpoint.json");
        Files.delete(checkpoint);

        try (Keeper second = open()) {
            Awaitility.await().atMost(SOON).until(() -> Files.exists(checkpoint));
            assertThat(Files.readString(checkpoint)).contains("\"status\" : \"paused\"");
            assertThat(second.get(runId).path("status").asText()).isEqualTo("paused");
        }
    }

    @Test
    void processesEndedStepsAndKeepsPausedRuns() throws IOException {
        OpenRuns.fill(folder.resolve("data"), folder.resolve("workspace"), RUNS, OpenRuns.CopyState.RUNNING);
        long settled;
        try (Keeper first = open()) {
            for (int copy = 0; copy < RUNS; copy++) {
                assertThat(first.until("copy-" + copy, "paused")
                                .at("/pause/detail")
                                .asText())
                        .isEqualTo("absent");
            }
            settled = first.lastPosition();
        }
        try (Keeper second = open()) {
            assertThat(second.lastPosition()).isEqualTo(settled);
        }
    }
}
