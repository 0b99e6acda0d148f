package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.DataFolderInUseException;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills real owners of a data folder with {@code kill -9}. */
class StoreCrashTest {
    private static final int KILLS = Integer.getInteger("loopkeeper.store.kills", 2);
    private static final long SEED = Long.getLong("loopkeeper.store.seed", 20261120);
    private static final int RUNS = 24;
    /** In the unit of the shell's {@code ulimit -f}, 512 bytes: more than the driver's native library has. */
    private static final String FILE_LIMIT = "8192";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_ACKNOWLEDGED = 3000;

    @TempDir
    private Path folder;

    @TempDir
    private Path outputs;

    private Vertx vertx;
    private Process writer;

    @BeforeEach
    void open() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void close() {
        if (writer != null) {
            writer.destroyForcibly();
        }
        await(vertx.close());
    }

    @Test
    void nothingAcknowledgedIsLostByKill9() throws Exception {
        Random random = new Random(SEED);
        Map<String, Long> acknowledged = new HashMap<>();
        for (int kill = 0; kill < KILLS; kill++) {
            // Every fourth dies while it opens the store.
            int lines = kill % 4 == 3 ? 1 : 3 + random.nextInt(MOST_ACKNOWLEDGED);
            Path output = start(RUNS, random.nextLong());
            killAfter(lines, output);

            assertThat(refusals(output)).as("seed %d", SEED).isEmpty();
            acknowledged(output).forEach((run, sequence) -> acknowledged.merge(run, sequence, Math::max));
            checkHistory(acknowledged);
        }
        assertThat(acknowledged).hasSize(RUNS);
    }

    @Test
    void aDiskThatTakesNoMoreLosesNothingAcknowledged() throws Exception {
        Path output = start(RUNS, SEED, FILE_LIMIT);
        Awaitility.await().atMost(PATIENCE).until(() -> !refusals(output).isEmpty());
        killAfter(1, output);

        assertThat(refusals(output))
                .allSatisfy(line -> assertThat(line)
                        .contains("StoreException", folder.resolve("events.db").toString(), "nothing was written"));
        checkHistory(acknowledged(output));
    }

    @Test
    void aLivingOwnerIsRespectedAndADeadOneReplaced() throws Exception {
        Path output = start(0, 7);
        Awaitility.await().atMost(PATIENCE).until(() -> completeLines(output).size() > 1);
        DataFolder data = new DataFolder(folder);
        Map<Path, byte[]> before = contents();

        assertThatThrownBy(data::own).isInstanceOfSatisfying(DataFolderInUseException.class, refused -> {
            assertThat(refused.pid()).isEqualTo(writer.pid());
            assertThat(refused).hasMessageContaining("process " + writer.pid());
        });
        assertThat(contents())
                .hasSameSizeAs(before)
                .allSatisfy(
                        (file, bytes) -> assertThat(bytes).as(file.toString()).isEqualTo(before.get(file)));

        OpenStore onlooker = await(SqliteEventStore.openReadOnly(vertx, folder));
        assertThat(await(onlooker.lastPosition())).isZero();
        await(onlooker.close());

        killAfter(1, output);
        try (OwnerLock lock = data.own()) {
            assertThat(lock).isNotNull();
            assertThat(folder.resolve("owner.lock"))
                    .hasContent(String.valueOf(ProcessHandle.current().pid()));
        }
    }

    /** Everything acknowledged is there, without gaps, as it was asked; what was not acknowledged may be. */
    private void checkHistory(Map<String, Long> acknowledged) {
        try (OwnerLock lock = new DataFolder(folder).own()) {
            assertThat(lock).isNotNull();
            OpenStore store = await(SqliteEventStore.open(vertx, folder));
            for (int run = 0; run < RUNS; run++) {
                String runId = "run-" + run;
                List<StoredEvent> events = await(store.events(runId, 0, Integer.MAX_VALUE)).stream()
                        .map(PositionedEvent::event)
                        .toList();
                assertThat((long) events.size()).isGreaterThanOrEqualTo(acknowledged.getOrDefault(runId, 0L));
                for (int index = 0; index < events.size(); index++) {
                    assertThat(events.get(index)).isEqualTo(event(runId, index + 1));
                }
                assertThat(await(store.load(runId)).isPresent()).isEqualTo(!events.isEmpty());
            }
            await(store.close());
        }
    }

    private Path start(int runs, long seed) throws IOException {
        return start(runs, seed, "unlimited");
    }

    private Path start(int runs, long seed, String fileLimit) throws IOException {
        Path output = Files.createTempFile(outputs, "writer", ".txt");
        writer = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -f " + fileLimit + "; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx96m",
                        // A process that is killed leaves the unpacked library of the driver behind.
                        "-Djava.io.tmpdir=" + outputs,
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreWriterProgram.class.getName(),
                        folder.toString(),
                        String.valueOf(runs),
                        String.valueOf(seed))
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return output;
    }

    private void killAfter(int lines, Path output) throws InterruptedException {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> completeLines(output).size() >= lines || !writer.isAlive());
        assertThat(writer.isAlive()).as("the writer lives until it is killed").isTrue();
        writer.destroyForcibly();
        assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    private static List<String> refusals(Path output) throws IOException {
        return completeLines(output).stream()
                .filter(line -> line.startsWith("refused"))
                .toList();
    }

    private static Map<String, Long> acknowledged(Path output) throws IOException {
        return completeLines(output).stream()
                .filter(line -> line.startsWith("run-"))
                .map(line -> line.split(" ", -1))
                .collect(Collectors.toMap(parts -> parts[0], parts -> Long.valueOf(parts[1]), Math::max));
    }

    private static List<String> completeLines(Path output) throws IOException {
        String text = Files.readString(output);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private Map<Path, byte[]> contents() throws IOException {
        Map<Path, byte[]> found = new HashMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                found.put(file, Files.readAllBytes(file));
            }
        }
        return found;
    }
}
