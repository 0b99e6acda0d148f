package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.OutsideReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data folder lies where the agents work, and others look into the database. */
class StoreInWorkspaceTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String LOOP = """
            {"name": "busy", "agents": {"dev": {"command": "echo $LOOPKEEPER_ITERATION >last; sleep 0.03"}},
             "phases": [{"name": "build", "loop": {"steps": ["dev"], "until": "iterations",
                 "maxIterations": %d, "noProgress": %d}}]}
            """;

    @TempDir
    private Path folder;

    @Test
    void aReaderABackupAndAVacuumLoseNoEvent() throws Exception {
        Path workspace = folder.resolve("workspace");
        Path data = workspace.resolve("data");
        List<String> runs = new ArrayList<>();
        List<StoredEvent> acknowledged;
        try (Keeper keeper = new Keeper(data, workspace);
                OutsideReader reader = OutsideReader.of(data, folder.resolve("copies"))) {
            lead(workspace, data);
            for (int run = 0; run < 3; run++) {
                runs.add(keeper.start(LOOP.formatted(15, 0)));
            }
            runs.forEach(runId -> assertThat(keeper.until(runId, "completed", "stopped", "failed")
                            .path("status")
                            .asText())
                    .isEqualTo("completed"));
            int rounds = reader.rounds();
            Awaitility.await().atMost(SOON).until(() -> reader.rounds() >= rounds + 2);
            assertThat(reader.end()).isEmpty();
            runs.forEach(keeper::untilEnded);
            acknowledged = keeper.received();
        }
        try (Keeper again = new Keeper(data, workspace)) {
            Map<String, List<StoredEvent>> ofRuns = acknowledged.stream()
                    .collect(Collectors.groupingBy(StoredEvent::runId, TreeMap::new, Collectors.toList()));
            assertThat(ofRuns).containsOnlyKeys(runs);
            ofRuns.forEach(
                    (runId, events) -> assertThat(texts(again.events(runId))).isEqualTo(texts(events)));
        }
    }

    @Test
    void theLocksOnTheStoreAndItsOwnershipOutliveEveryStep() throws Exception {
        Path workspace = folder.resolve("workspace");
        Path data = workspace.resolve("data");
        try (Keeper keeper = new Keeper(data, workspace)) {
            lead(workspace, data);
            String runId = keeper.start(LOOP.formatted(3, 0));
            assertThat(keeper.until(runId, "completed").path("runId").asText()).isEqualTo(runId);

            for (String file : List.of("events.db", "events.db-shm", "owner.lock")) {
                assertThat(isLocked(data.resolve(file))).as(file).isTrue();
            }
        }
    }

    @Test
    void whatLoopkeeperWritesIntoTheWorkspaceIsNoProgress() throws Exception {
        Path workspace = folder.resolve("workspace");
        Path data = workspace.resolve("data");
        try (Keeper keeper = new Keeper(data, workspace)) {
            lead(workspace, data);
            String same = LOOP.replace("echo $LOOPKEEPER_ITERATION >last", "true");
            String runId = keeper.start(same.formatted(9, 3));

            assertThat(keeper.until(runId, "completed", "stopped", "failed")
                            .at("/termination/reasonCode")
                            .asText())
                    .isEqualTo("no-progress");
        }
    }

    private static List<String> texts(List<StoredEvent> events) {
        return events.stream()
                .map(event -> Json.MAPPER.valueToTree(event).toString())
                .toList();
    }

    /** All kinds of names by which the store can be come by. */
    private static void lead(Path workspace, Path data) throws IOException {
        Files.createSymbolicLink(workspace.resolve("a-link"), data);
        Files.createSymbolicLink(workspace.resolve("another.db"), data.resolve("events.db"));
        Path copy = Files.createDirectory(workspace.resolve("a-copy"));
        for (String file : List.of("events.db", "events.db-wal", "events.db-shm", "owner.lock")) {
            Files.createLink(copy.resolve(file), data.resolve(file));
        }
    }

    /** As the kernel lists it: by process, device and inode. */
    private static boolean isLocked(Path file) throws IOException {
        Object inode = Files.getAttribute(file, "unix:ino");
        long pid = ProcessHandle.current().pid();
        return Files.readAllLines(Path.of("/proc/locks")).stream()
                .anyMatch(line -> line.matches(".* POSIX .* " + pid + " [0-9a-f]+:[0-9a-f]+:" + inode + " .*"));
    }
}
