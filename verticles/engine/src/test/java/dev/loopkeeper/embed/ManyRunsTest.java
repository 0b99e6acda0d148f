package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many more runs than places, stopped, paused and resumed at any moment. {@code -Dloopkeeper.runs=N} for more. */
class ManyRunsTest {
    private static final int RUNS = Integer.getInteger("loopkeeper.runs", 200);
    private static final int PLACES = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TWO_TASKS = """
            name: many
            agents: {one: {command: ["true"]}}
            phases: [{name: first, task: one}, {name: second, task: one}]
            """;

    @TempDir
    private Path folder;

    private final Random random = new Random(20_261_120);

    @Test
    void noMoreThanTheirSlotsAreUnderWayAndEachEnds() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).maxRuns(PLACES);
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            List<String> runs = new ArrayList<>();
            while (runs.size() < RUNS) {
                runs.add(keeper.start(TWO_TASKS));
                disturb(keeper, runs.get(random.nextInt(runs.size())));
            }
            Awaitility.await().atMost(PATIENCE).until(() -> over(keeper, runs));
            assertThat(mostUnderWay(keeper, runs)).isBetween(2, PLACES);
        }
    }

    @Test
    void aRunIsCreatedAndStartedByOneCommit() throws IOException {
        Path data = folder.resolve("data");
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"))) {
            List<Integer> commits = new CopyOnWriteArrayList<>();
            Keeper.await(StoreChannels.SYNCED
                    .listen(keeper.vertx().eventBus(), timed -> commits.add(timed.events()))
                    .completion());
            String runId = keeper.start(TWO_TASKS.replace("\"true\"", "sleep, \"600\""));

            assertThat(keeper.events(runId))
                    .extracting(StoredEvent::type)
                    .startsWith("run.created", "run.started", "phase.started", "step.started");
            Awaitility.await().until(() -> !commits.isEmpty());
            assertThat(commits.get(0)).isEqualTo(4);
            assertThat(keeper.stop(runId, true).refusal()).isEmpty();
            keeper.untilEnded(runId);
        }
    }

    @Test
    void ofRunsThatAreSubmittedAtOnceNoMoreStartThanHaveASlot() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).maxRuns(1);
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            String manifest = TWO_TASKS.replace("\"true\"", "sleep, \"600\"");
            RunOptions where = RunOptions.DEFAULTS.workspace(keeper.workspace());
            List<String> runs =
                    Stream.generate(() -> keeper.loopkeeper().submit(manifest, where)).limit(8).toList().stream()
                            .map(submitted -> Keeper.await(submitted).runId())
                            .toList();

            assertThat(runs)
                    .extracting(runId -> keeper.get(runId).path("status").asText())
                    .containsOnlyOnce("running")
                    .contains("queued");
            runs.forEach(runId -> assertThat(keeper.stop(runId, true).refusal()).isEmpty());
            runs.forEach(keeper::untilEnded);
        }
    }

    @Test
    void aResumeThatWaitsForASlotSurvivesARestart() throws IOException {
        LoopkeeperOptions options = LoopkeeperOptions.of(folder.resolve("data")).maxRuns(1);
        String silent;
        String busy;
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"), options)) {
            silent = keeper.start(TWO_TASKS.replace("[\"true\"]", "[\"true\"], signal: none.json"));
            assertThat(keeper.until(silent, "paused").at("/pause/reason").asText())
                    .isEqualTo("missing_signals");
            busy = keeper.start(TWO_TASKS.replace("\"true\"", "sleep, \"600\""));
            assertThat(keeper.until(busy, "running").path("execution").asInt()).isOne();
            assertThat(keeper.resume(silent, ResumeRequest.PLAIN)
                            .document()
                            .orElseThrow()
                            .path("status")
                            .asText())
                    .isEqualTo("queued");
        }
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"), options)) {
            assertThat(keeper.get(silent).path("status").asText()).isEqualTo("queued");
            assertThat(keeper.stop(busy, true).refusal()).isEmpty();
            assertThat(keeper.until(silent, "paused")
                            .at("/statistics/totalAttempts")
                            .asInt())
                    .isEqualTo(2);
            assertThat(keeper.until(busy, "stopped").path("execution").asInt()).isOne();
        }
    }

    /** Whether what was requested fits is not the question. */
    private void disturb(Keeper keeper, String runId) {
        var answer = switch (random.nextInt(4)) {
            case 0 -> keeper.stop(runId, random.nextBoolean());
            case 1 -> keeper.pause(runId);
            default -> keeper.resume(runId, ResumeRequest.PLAIN);
        };
        assertThat(answer).isNotNull();
    }

    /** Paused runs are resumed until none is left. */
    private static boolean over(Keeper keeper, List<String> runs) {
        boolean over = true;
        for (String runId : runs) {
            String status = keeper.get(runId).path("status").asText();
            if (status.equals("paused")) {
                assertThat(keeper.resume(runId, ResumeRequest.PLAIN)).isNotNull();
            }
            over &= Set.of("completed", "stopped").contains(status);
        }
        return over;
    }

    /** By what really ran, in the order of the events: a stop of a queued run may report a start that is only an end. */
    private static int mostUnderWay(Keeper keeper, List<String> runs) {
        Set<String> underWay = new HashSet<>();
        int most = 0;
        for (StoredEvent event : keeper.received()) {
            if (event.type().equals("step.started") && runs.contains(event.runId())) {
                underWay.add(event.runId());
            } else if (event.type().equals("step.finished")) {
                underWay.remove(event.runId());
            }
            most = Math.max(most, underWay.size());
        }
        return most;
    }
}
