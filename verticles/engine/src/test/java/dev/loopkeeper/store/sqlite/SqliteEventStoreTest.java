package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static dev.loopkeeper.store.StoreSamples.withStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.EventStore.RunsAt;
import dev.loopkeeper.store.EventStoreContract;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventStoreTest extends EventStoreContract {
    @TempDir
    private Path folder;

    private final AtomicInteger commits = new AtomicInteger();
    /** Who is about to commit waits for it. */
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private final Set<String> openFiles = ConcurrentHashMap.newKeySet();

    @Override
    protected Future<OpenStore> openEmpty() {
        StoreProbe counting = new StoreProbe() {
            @Override
            public void before(Point point) {
                if (point == Point.COMMIT) {
                    commits.incrementAndGet();
                    checkOpenFiles();
                    pass(gate);
                }
            }
        };
        return SqliteEventStore.open(vertx, folder, SqliteOptions.DEFAULTS, counting);
    }

    @Test
    void sharesOneCommitAmongWaitingAppends() {
        gate = new CountDownLatch(1);
        List<Future<Appended>> appends = IntStream.range(0, 1000)
                .mapToObj(run -> store.append(created("run-" + run)))
                .toList();
        gate.countDown();

        await(Future.all(appends));

        assertThat(commits).hasValueLessThan(5);
    }

    @Test
    void ofAppendsThatAreCommittedTogetherTheLastGivesARunItsRow() {
        List<String> runs =
                IntStream.range(0, 150).mapToObj(run -> "run-" + run).toList();
        await(Future.all(runs.stream().map(run -> store.append(created(run))).toList()));
        List<Future<Appended>> appends = new ArrayList<>();
        for (String run : runs) {
            appends.add(store.append(append(run, 1, 1)));
            appends.add(store.append(withStatus(append(run, 2, 1), "paused", START)));
            appends.add(store.append(withStatus(append(run, 3, 1), "paused", START)));
            appends.add(store.append(withStatus(append(run, 4, 2), "paused", START)));
        }

        await(Future.all(appends));

        for (String run : runs) {
            assertThat(await(store.find(run)).orElseThrow().status()).isEqualTo("paused");
            assertThat(await(store.load(run)).orElseThrow().events()).hasSize(6);
        }
        RunsAt.RunAt last = await(store.runsAt(new RunSelection(Set.of("run-7"), Set.of(), 0), Optional.empty()))
                .runs()
                .get(0);
        assertThat(last.sequence()).isEqualTo(6);
        assertThat(failure(store.append(append("run-7", 5, 1)))).isInstanceOf(StaleAppendException.class);
    }

    @Test
    void appendsAnsweredTogetherAreWrittenTogether() {
        Promise<CompositeFuture> appended = Promise.promise();
        vertx.runOnContext(now -> Future.all(IntStream.range(0, 100)
                        .mapToObj(run -> "run-" + run)
                        .map(run -> store.append(created(run))
                                .compose(first -> store.append(append(run, 1, 1)))
                                .compose(second -> store.append(append(run, 2, 1))))
                        .toList())
                .onComplete(appended));

        await(appended.future());

        assertThat(commits).hasValue(3);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void writesNothingOutsideItsFolder() {
        List<String> runs = IntStream.range(0, 64)
                .mapToObj(run -> run + "-with-a-long-name".repeat(20))
                .toList();
        await(Future.all(
                runs.stream().map(run -> store.append(append(run, 0, 20))).toList()));
        openFiles.clear();

        // In one batch, which changes many pages that were there.
        Promise<CompositeFuture> appended = Promise.promise();
        vertx.runOnContext(now -> Future.all(runs.stream()
                        .map(run -> store.append(append(run, 20, 1)))
                        .toList())
                .onComplete(appended));
        await(appended.future());

        assertThat(openFiles)
                .anyMatch(file -> file.startsWith(folder.toString()))
                .noneMatch(file -> file.contains("etilqs"));
    }

    private static void pass(CountDownLatch gate) {
        try {
            assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** As the links of the process name them. */
    private void checkOpenFiles() {
        File[] descriptors = new File("/proc/self/fd").listFiles();
        for (File descriptor : descriptors == null ? new File[0] : descriptors) {
            try {
                openFiles.add(Files.readSymbolicLink(descriptor.toPath()).toString());
            } catch (IOException closed) {
                // In the meantime another writer appended.
            }
        }
    }

    @Test
    void askersBehindAReaderThatHangsAreRefusedBeyondAThousand() {
        await(store.append(created("run-1")));
        List<Future<Optional<RunRow>>> asked = new ArrayList<>();
        OpenStore hung = opened;
        synchronized (hung) { // the reader waits for it
            for (int question = 0; question < 1_100; question++) {
                asked.add(store.find("run-1"));
            }
            Awaitility.await().until(() -> asked.stream().filter(Future::failed).count() == 99);
        }
        assertThat(await(Future.join(asked).otherwiseEmpty().map(true))).isTrue();
        assertThat(asked.stream().filter(Future::failed).map(Future::cause))
                .hasSize(99)
                .allMatch(cause -> cause instanceof StoreUnavailableException);
        assertThat(await(store.find("run-1"))).isPresent();
    }

    @Test
    void findsEverythingAgainAfterReopening() {
        await(store.append(append("run-1", 0, 7)));
        await(opened.close());

        opened = await(SqliteEventStore.open(vertx, folder));
        store = opened;

        assertThat(await(store.load("run-1")).orElseThrow().events()).hasSize(7);
        assertThat(await(store.append(append("run-1", 7, 1))).lastPosition()).isEqualTo(8);
    }

    @Test
    void isReadByOthersWhileItIsWritten() {
        await(store.append(append("run-1", 0, 2)));

        OpenStore other = await(SqliteEventStore.openReadOnly(vertx, folder));
        await(store.append(append("run-1", 2, 1)));

        assertThat(await(other.events("run-1", 0, 10))).hasSize(3);
        assertThat(failure(other.append(append("run-1", 3, 1)))).isInstanceOf(StoreException.class);
        await(other.close());
    }

    @Test
    void isReadableWithoutAnOwner() {
        await(store.append(append("run-1", 0, 2)));
        await(opened.close());

        opened = await(SqliteEventStore.openReadOnly(vertx, folder));
        store = opened;

        assertThat(await(store.events("run-1", 0, 10))).hasSize(2);
    }

    @Test
    void readingMakesNoStoreWhereNoneIs(@TempDir Path empty) throws IOException {
        assertThat(failure(SqliteEventStore.openReadOnly(vertx, empty)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(empty.toString());
        try (var files = Files.list(empty)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void takesAnyFolderName(@TempDir Path parent) throws IOException {
        Path odd = Files.createDirectory(parent.resolve("what? größer #1 %20"));

        OpenStore there = await(SqliteEventStore.open(vertx, odd));
        await(there.append(created("run-1")));
        await(there.close());

        assertThat(odd.resolve("events.db")).isNotEmptyFile();
    }

    @Test
    void refusesOptionsThatCannotWork() {
        assertThat(SqliteOptions.DEFAULTS.maxBatch()).isEqualTo(512);
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> new SqliteOptions(0, Duration.ZERO, true)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFolderThatCannotBeWrittenIsReadFromACopy() throws IOException {
        await(store.append(append("run-1", 0, 3)));
        Path original = folder.resolve("events.db");
        byte[] before = Files.readAllBytes(original);

        StoreFile copy = SealedFolder.copy(new StoreFile(original));
        OpenStore reading = await(SqliteEventStore.openReadOnly(vertx, copy));

        // They are in the log only, which is copied too.
        assertThat(await(reading.events("run-1", 0, 10))).hasSize(3);
        await(reading.close());
        assertThat(copy.database().getParent()).doesNotExist();
        assertThat(original).hasBinaryContent(before);
        assertThat(SealedFolder.readable(new StoreFile(original)).database()).isEqualTo(original);
    }
}
