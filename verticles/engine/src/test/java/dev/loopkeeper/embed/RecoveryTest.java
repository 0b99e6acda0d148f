package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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
    void completesTheFoldersOfStepsThatEndedJustBeforeAKill() throws IOException {
        Path go = folder.resolve("go");
        String runId;
        Path over;
        Path open;
        try (Keeper first = open()) {
            runId = first.start("""
                    name: two
                    agents:
                      one: {command: "true"}
                      two: {command: 'until [ -e "$GO" ]; do sleep 0.1; done; exit 3', env: {GO: "%s"}}
                    phases: [{name: a, task: one}, {name: b, task: two}]
                    """.formatted(go));
            over = folder.resolve("data/runs/" + runId + "/steps/a.one.1");
            open = folder.resolve("data/runs/" + runId + "/steps/b.two.1");
            Awaitility.await().atMost(SOON).until(() -> Files.exists(open.resolve("launch.json")) && isSummary(over));
        }
        undoSummary(over);
        Files.createFile(go);
        Awaitility.await().atMost(SOON).until(() -> Files.exists(open.resolve("exit.json")));

        try (Keeper second = open()) {
            second.untilEnded(runId);
            assertThat(second.steps(runId).path(1).at("/result/exitCode").asInt())
                    .isEqualTo(3);
            Awaitility.await().atMost(SOON).until(() -> isSummary(over) && isSummary(open));
        }
        assertThat(over.resolve("step.txt")).content().contains("==> exit.json, ");
    }

    @Test
    void completesTheFilesOfARunThatEndedJustBeforeAKill() throws IOException {
        String runId;
        try (Keeper first = open()) {
            runId = first.start("""
                    name: last
                    agents: {dev: {command: "true"}}
                    phases: [{name: only, task: dev}]
                    """);
            first.untilEnded(runId);
            Awaitility.await().atMost(SOON).until(() -> isSummary(step(runId, "only.dev.1")));
        }
        Path checkpoint = folder.resolve("data/runs/" + runId + "/checkpoint.json");
        String written = Files.readString(checkpoint);
        Files.writeString(checkpoint, written.replaceFirst("\"sequence\" : [0-9]+", "\"sequence\" : 2"));
        undoSummary(step(runId, "only.dev.1"));

        try (Keeper second = open()) {
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> isSummary(step(runId, "only.dev.1"))
                            && Files.readString(checkpoint).equals(written));
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

    private Path step(String runId, String stepId) {
        return folder.resolve("data/runs/" + runId + "/steps/" + stepId);
    }

    private static boolean isSummary(Path step) {
        return Files.exists(step.resolve("step.txt"))
                && Stream.of("request.json", "exit.json", ".step.txt.new")
                        .noneMatch(name -> Files.exists(step.resolve(name)));
    }

    /** Leaves the files of a runtime that was killed while it wrote the summary. */
    private static void undoSummary(Path step) throws IOException {
        StepFiles files = StepFiles.of(
                step.resolve("../../../..").normalize(),
                step.getParent().getParent().getFileName().toString(),
                step.getFileName().toString());
        for (String name : List.of("request.json", "launch.json", "exit.json")) {
            Files.write(step.resolve(name), files.summarised(name).orElseThrow());
        }
        Files.move(step.resolve("step.txt"), step.resolve(".step.txt.new"));
    }

    @Test
    void stepsThatEndedMeanwhileAreProcessedAndPausedRunsStayAsTheyAre() throws IOException {
        OpenRuns.fill(folder.resolve("data"), folder.resolve("workspace"), RUNS, OpenRuns.Stand.RUNNING);
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
