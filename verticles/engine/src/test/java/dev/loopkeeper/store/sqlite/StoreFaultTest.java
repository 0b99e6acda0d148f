package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static dev.loopkeeper.store.StoreSamples.withKey;
import static dev.loopkeeper.store.StoreSamples.withSnapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.sqlite.StoreProbe.Point;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A disk that refuses: nothing acknowledged is lost, nothing half written, and writing continues when it can. */
class StoreFaultTest {
    private static final int RUNS = 8;
    private static final int ROUNDS = 40;
    private static final int UNLIMITED = 1_000_000;

    @TempDir
    private Path folder;

    private Vertx vertx;
    private OpenStore store;
    private final AtomicInteger untilFault = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicInteger outage = new AtomicInteger(1);
    private final AtomicInteger mostPages = new AtomicInteger(UNLIMITED);
    private final AtomicReference<Connection> written = new AtomicReference<>();

    @BeforeEach
    void open() {
        vertx = Vertx.vertx();
        StoreProbe faulty = new StoreProbe() {
            @Override
            public void opened(Connection connection) throws SQLException {
                written.set(connection);
                limitPages();
            }

            @Override
            public void before(Point point) throws SQLException {
                // A failure after the commit is the matter of EveryFaultTest: its writes are found all the same.
                int left = point == Point.ANSWER ? 1 : untilFault.getAndDecrement();
                if (left <= 0 && left > -outage.get()) {
                    throw new SQLiteException("disk I/O error at " + point, SQLiteErrorCode.SQLITE_IOERR);
                }
            }
        };
        store = await(SqliteEventStore.open(vertx, folder, SqliteOptions.DEFAULTS, faulty));
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void failsAtEachStepOfAnAppendWithoutWritingAnything() {
        await(store.append(created("run-1")));
        AppendEvents full = withKey(withSnapshot(append("run-1", 1, 2), "{}"), "key");
        // BEGIN, two events, the row, the snapshot, the key, COMMIT; a lost answer is another matter.
        for (int step = 0; step < Point.values().length - 1; step++) {
            untilFault.set(step);

            assertThat(failure(store.append(full)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("events.db")
                    .hasMessageContaining("Check the disk");

            assertThat(await(store.load("run-1")).orElseThrow().events()).hasSize(1);
            assertThat(await(store.runOfKey("key"))).isEmpty();
        }
        untilFault.set(Integer.MAX_VALUE);
        assertThat(await(store.append(full)).lastPosition()).isEqualTo(3);
    }

    @Test
    void failsAReceiptThatCannotBeKept() {
        untilFault.set(1);

        assertThat(failure(store.addReceipt("run-1", "{}"))).isInstanceOf(StoreException.class);

        assertThat(await(store.receipts("run-1", 0))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void holdsExactlyWhatWasAcknowledgedAfterRandomFaults(long seed) {
        Random random = new Random(seed);
        Map<String, Long> acknowledged = new HashMap<>();
        int refusals = 0;
        for (int round = 0; round < ROUNDS; round++) {
            untilFault.set(random.nextInt(60));
            outage.set(1 + random.nextInt(10));
            refusals += appendToAll(random, acknowledged);
        }
        untilFault.set(Integer.MAX_VALUE);
        await(store.close());
        store = await(SqliteEventStore.open(vertx, folder));

        assertThat(refusals).isPositive();
        for (Map.Entry<String, Long> run : acknowledged.entrySet()) {
            List<PositionedEvent> events = await(store.events(run.getKey(), 0, 10_000));
            assertThat(events).hasSize(run.getValue().intValue());
            assertThat(await(store.append(append(run.getKey(), run.getValue(), 1))))
                    .isNotNull();
        }
    }

    @Test
    void oneAppendThatDoesNotFitHarmsNoOther() throws SQLException {
        await(store.append(created("run-1")));
        mostPages.set(40);
        limitPages();
        List<Future<Appended>> together = new ArrayList<>();
        together.add(store.append(created("run-2")));
        together.add(store.append(append("huge", 0, 2000)));
        together.add(store.append(append("run-1", 1, 1)));

        assertThat(failure(together.get(1))).isInstanceOf(StoreException.class).hasMessageContaining("Free disk space");
        assertThat(await(together.get(0))).isNotNull();
        assertThat(await(together.get(2))).isNotNull();
        assertThat(await(store.find("huge"))).isEmpty();
    }

    @Test
    void writesAgainOnceTheDiskHasSpace() throws SQLException {
        mostPages.set(30);
        limitPages();
        long fitting = 0;
        Throwable refused = null;
        while (refused == null) {
            try {
                await(store.append(append("run-1", fitting, 10)));
                fitting += 10;
            } catch (StoreException full) {
                refused = full;
            }
        }
        assertThat(refused).hasMessageContaining("Free disk space").hasMessageContaining("events.db");
        assertThat(await(store.events("run-1", 0, 100_000))).hasSize((int) fitting);

        mostPages.set(UNLIMITED);
        assertThat(await(store.append(append("run-1", fitting, 10)))).isNotNull();
    }

    @Test
    void isReadyAgainOnlyWhenItCanWriteAgain() throws SQLException {
        await(store.ready());
        mostPages.set(12);
        limitPages();
        assertThat(failure(store.append(append("run-1", 0, 2000)))).hasMessageContaining("Free disk space");
        untilFault.set(0);
        outage.set(Integer.MAX_VALUE / 2);
        assertThat(failure(store.ready())).isInstanceOf(StoreException.class);

        untilFault.set(Integer.MAX_VALUE);
        mostPages.set(UNLIMITED);

        await(store.ready());
        assertThat(await(store.lastPosition())).isZero();
    }

    /** A backup tool, or a person's shell. The run must wait for its end. */
    @Test
    void isUnavailableWhileAnotherProgramHoldsTheLock(@TempDir Path other) throws SQLException {
        OpenStore locked = await(SqliteEventStore.open(
                vertx, other, new SqliteOptions(1, Duration.ofMillis(10), true), StoreProbe.NONE));
        try (Connection holder = StoreFile.in(other).openForWriting(Duration.ZERO, false)) {
            StoreFile.execute(holder, "BEGIN IMMEDIATE");
            assertThat(failure(locked.append(created("run-1"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("Another process has locked the file");
            assertThat(failure(locked.append(created("run-1")))).isInstanceOf(StoreUnavailableException.class);
            StoreFile.execute(holder, "ROLLBACK");
        }
        assertThat(await(locked.append(created("run-1")))).isNotNull();
        await(locked.close());
    }

    @Test
    void saysWhatHelpsWhenTheFileIsReadOnly() throws SQLException {
        StoreFile.execute(written.get(), "PRAGMA query_only=ON");

        assertThat(failure(store.append(created("run-1"))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("events.db")
                .hasMessageContaining("writable");

        assertThat(await(store.append(created("run-1")))).isNotNull();
    }

    @Test
    void noticesThatTheWholeFolderWasDeleted(@TempDir Path other) throws IOException {
        OpenStore lost = await(SqliteEventStore.open(vertx, other));
        await(lost.append(created("run-1")));
        for (String name : new String[] {"events.db", "events.db-wal", "events.db-shm", "events.db.closed"}) {
            Files.delete(other.resolve(name));
        }
        Files.delete(other);

        assertThat(failure(lost.append(append("run-1", 1, 1)))).hasMessageContaining("deleted or replaced");

        assertThat(await(lost.events("run-1", 0, 10))).hasSize(1);
        assertThat(other).doesNotExist();
        await(lost.close());
        Files.createDirectory(other);
    }

    @Test
    void noticesThatItsFileWasDeletedOrReplaced() throws IOException {
        await(store.append(created("run-1")));
        Path database = folder.resolve("events.db");
        Path moved = folder.resolve("aside.db");
        Files.move(database, moved);

        assertThat(failure(store.append(append("run-1", 1, 1))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("deleted or replaced")
                .hasMessageContaining(database.toString());
        Files.writeString(database, "something else");
        assertThat(failure(store.append(append("run-1", 1, 1)))).hasMessageContaining("deleted or replaced");
        assertThat(database).hasContent("something else");

        Files.move(moved, database, StandardCopyOption.REPLACE_EXISTING);
        assertThat(await(store.append(append("run-1", 1, 1)))).isNotNull();
    }

    @Test
    void noticesThatItsLogWasDeleted() throws IOException {
        await(store.append(created("run-1")));
        Files.delete(folder.resolve("events.db-wal"));

        assertThat(failure(store.append(append("run-1", 1, 1))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("events.db-wal was deleted");
    }

    private int appendToAll(Random random, Map<String, Long> acknowledged) {
        Map<String, Future<Appended>> asked = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (int number = 0; number < RUNS; number++) {
            String run = "run-" + number;
            counts.put(run, 1 + random.nextInt(3));
            asked.put(run, store.append(append(run, acknowledged.getOrDefault(run, 0L), counts.get(run))));
        }
        int refusals = 0;
        for (Map.Entry<String, Future<Appended>> append : asked.entrySet()) {
            try {
                await(append.getValue());
                acknowledged.merge(append.getKey(), (long) counts.get(append.getKey()), Long::sum);
            } catch (StoreException refused) {
                refusals++;
            }
        }
        return refusals;
    }

    /** Makes the disk as small as {@link #mostPages} for the connection that writes. */
    private void limitPages() throws SQLException {
        StoreFile.execute(written.get(), "PRAGMA max_page_count=" + mostPages);
    }
}
