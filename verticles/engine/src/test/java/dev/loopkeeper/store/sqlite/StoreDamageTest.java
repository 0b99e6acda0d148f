package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static dev.loopkeeper.store.StoreSamples.withSnapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredRun;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage is found and reported; it never looks like a new or a shorter history. */
class StoreDamageTest {
    private static final int EVENTS = 60;

    @TempDir
    private Path folder;

    private Vertx vertx;
    private Path database;
    private Path log;

    @BeforeEach
    void fill() {
        vertx = Vertx.vertx();
        database = folder.resolve("events.db");
        log = folder.resolve("events.db-wal");
        OpenStore store = open();
        for (String run : new String[] {"run-1", "run-2"}) {
            await(store.append(withSnapshot(append(run, 0, EVENTS), "{\"at\":1}")));
            await(store.append(withSnapshot(append(run, EVENTS, 1), "{\"at\":2}")));
            await(store.append(append(run, EVENTS + 1, 1)));
            await(store.addReceipt(run, "{}"));
        }
        await(store.close());
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE events SET data = '{}' WHERE run_id = 'run-1' AND sequence = 62",
                "UPDATE events SET type = 'run.ended' WHERE run_id = 'run-1' AND sequence = 62",
                "UPDATE events SET run_id = 'run-3' WHERE run_id = 'run-1' AND sequence = 62",
                "DELETE FROM events WHERE run_id = 'run-1' AND sequence = 62",
                "UPDATE runs SET status = 'completed' WHERE run_id = 'run-1'",
                "UPDATE runs SET last_sequence = 61 WHERE run_id = 'run-1'"
            })
    void aChangedRowKeepsItsRunFromLoadingButNoOther(String change) throws SQLException {
        tamper(change);
        OpenStore store = open();

        assertThat(failure(store.load("run-1")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(database.toString())
                .hasMessageContaining("run-1")
                .hasMessageContaining("backup");
        assertThat(await(store.load("run-2")).orElseThrow().events()).hasSize(1);
        assertThat(await(store.list(new RunQuery(Set.of(), 10, Optional.empty())))
                        .runs())
                .extracting(RunRow::runId)
                .containsExactly("run-2", "run-1");
        assertThat(await(store.eventsAfter(0, 1000))).hasSizeBetween(2 * EVENTS + 3, 2 * EVENTS + 4);
        assertThat(await(store.append(created("run-9")))).isNotNull();
        await(store.close());
    }

    @Test
    void aDamagedRowIsListedAsSuch() throws SQLException {
        tamper("UPDATE runs SET view = '{}' WHERE run_id = 'run-1'");
        OpenStore store = open();

        RunRow listed = await(store.list(new RunQuery(Set.of(), 10, Optional.empty())))
                .runs()
                .get(1);

        assertThat(listed.view().path("runId").asText()).isEqualTo("run-1");
        assertThat(listed.view().path("damage").asText()).contains("damaged");
        assertThat(failure(store.find("run-1"))).isInstanceOf(StoreException.class);
        await(store.close());
    }

    @Test
    void aDamagedSnapshotGivesWayToTheOneBeforeAndThenToTheHistory() throws SQLException {
        tamper("UPDATE snapshots SET state = '{\"at\":3}' WHERE run_id = 'run-1' AND sequence = 61");
        OpenStore store = open();
        assertThat(await(store.load("run-1")).orElseThrow().snapshot()).contains("{\"at\":1}");
        await(store.close());

        tamper("UPDATE snapshots SET checksum = 0 WHERE run_id = 'run-1'");
        store = open();
        StoredRun run = await(store.load("run-1")).orElseThrow();
        await(store.close());

        assertThat(run.snapshot()).isEmpty();
        assertThat(run.events()).hasSize(EVENTS + 2);
    }

    @Test
    void aChangedReceiptIsNotShown() throws SQLException {
        tamper("UPDATE receipts SET receipt = '[]' WHERE run_id = 'run-1'");
        OpenStore store = open();

        assertThat(failure(store.receipts("run-1", 0))).hasMessageContaining("receipt of run run-1");
        assertThat(await(store.receipts("run-2", 0))).hasSize(1);
        await(store.close());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void flippedBytesNeverGoUnnoticedInWhatIsRead(long seed) throws IOException {
        byte[] sound = Files.readAllBytes(database);
        Random random = new Random(seed);
        byte[] flipped = sound.clone();
        int from = random.nextInt(sound.length - 512);
        for (int at = from; at < from + 1 + random.nextInt(512); at++) {
            flipped[at] ^= (byte) (1 + random.nextInt(255));
        }
        Files.write(database, flipped);

        Optional<Integer> events = readAll();

        // Free space and the file's change counters may flip unseen: then everything is still there.
        assertThat(events.orElse(2 * (EVENTS + 2))).isEqualTo(2 * (EVENTS + 2));
    }

    /** Reading all of a store of 100,000 runs took seconds at each start. */
    @Test
    void onlyAFileThatIsAsItWasClosedIsNotReadThroughAtTheNextStart() throws IOException {
        StoreFile file = new StoreFile(database);
        assertThat(file.isAsClosed()).isTrue();

        OpenStore store = open();
        await(store.append(append("run-1", EVENTS + 2, 1)));
        assertThat(file.isAsClosed()).isFalse();
        await(store.close());
        assertThat(file.isAsClosed()).isTrue();

        Files.write(database, Files.readAllBytes(database));
        assertThat(file.isAsClosed()).isFalse();
    }

    @Test
    void aFileInWhichDamageWasFoundIsReadThroughAtTheNextStart() throws SQLException {
        tamper("UPDATE events SET data = '{}' WHERE run_id = 'run-1' AND sequence = 62");

        assertThat(readAll()).isEmpty();

        assertThat(new StoreFile(database).isAsClosed()).isFalse();
    }

    @Test
    void aTruncatedFileIsRefusedAndLeftAsItIs() throws IOException {
        byte[] sound = Files.readAllBytes(database);
        for (int length : new int[] {0, 10, 100, 4096, 4096 * 3, sound.length - 4096, sound.length - 1}) {
            byte[] cut = Arrays.copyOf(sound, length);
            Files.write(database, cut);

            assertThat(refusal()).hasMessageContaining(database.toString()).hasMessageContaining("as it");
            assertThat(database).hasBinaryContent(cut);
        }
    }

    @Test
    void whatIsNoStoreIsRefusedAndLeftAsItIs() throws IOException, SQLException {
        byte[] garbage = new byte[20_000];
        new Random(7).nextBytes(garbage);
        Files.write(database, garbage);
        assertThat(refusal()).hasMessageContaining(database.toString()).hasMessageContaining("backup");
        assertThat(database).hasBinaryContent(garbage);

        Files.delete(database);
        try (Connection other = new StoreFile(database).openForWriting(Duration.ZERO, true)) {
            StoreFile.execute(other, "CREATE TABLE addresses (name TEXT)");
        }
        assertThat(refusal()).hasMessageContaining("not one of Loopkeeper");
    }

    @Test
    void aNewerFormatIsRefusedUntouched() throws IOException, SQLException {
        int newer = 2 + StoreFormat.STEPS.size();
        tamper("UPDATE meta SET value = '" + newer + "' WHERE key = 'storeFormat'");
        byte[] before = Files.readAllBytes(database);

        assertThat(refusal()).hasMessageContaining("has format " + newer).hasMessageContaining("knows " + (newer - 1));
        assertThat(failure(SqliteEventStore.openReadOnly(vertx, folder))).hasMessageContaining("has format " + newer);
        assertThat(database).hasBinaryContent(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"format", "formatVersion"})
    void aStoreOfADevelopmentVersionIsRefusedUntouched(String key) throws IOException, SQLException {
        tamper("UPDATE meta SET key = '" + key + "', value = '1' WHERE key = 'storeFormat'");
        byte[] before = Files.readAllBytes(database);

        assertThat(refusal())
                .hasMessageContaining("was written by a development version before 0.1.0")
                .hasMessageContaining("left as it is");
        assertThat(failure(SqliteEventStore.openReadOnly(vertx, folder))).hasMessageContaining("development version");
        assertThat(database).hasBinaryContent(before);
    }

    @Test
    void aLostStoreIsNotReplacedByANewOne() throws IOException {
        Files.delete(database);
        Files.createDirectories(folder.resolve("runs/run-1"));
        Files.writeString(folder.resolve("runs/run-1/checkpoint.json"), "{}");

        assertThat(refusal()).hasMessageContaining("is missing, but").hasMessageContaining("runs");
        assertThat(database).doesNotExist();
    }

    @Test
    void damageInTheMiddleOfTheLogIsRefusedAndATornEndIsNot() throws IOException {
        byte[] sound = logOfACrash();
        int frame = 24 + 4096;

        for (int at : new int[] {0, 20, 32 + 4, 32 + frame + 100, 32 + 2 * frame + 17}) {
            byte[] flipped = sound.clone();
            flipped[at] ^= 0x40;
            Files.write(log, flipped);
            assertThat(refusal()).hasMessageContaining(log.toString()).hasMessageContaining("damaged");
            assertThat(log).hasBinaryContent(flipped);
        }
        Files.write(log, Arrays.copyOf(sound, sound.length - 700));

        assertThat(readAll()).contains(2 * (EVENTS + 2) + 9);
    }

    /** What {@code kill -9} leaves: the log of ten appends of run-1 that are not in the database yet. */
    private byte[] logOfACrash() throws IOException {
        OpenStore store = open();
        byte[] before = Files.readAllBytes(database);
        for (int event = 0; event < 10; event++) {
            await(store.append(append("run-1", EVENTS + 2 + event, 1)));
        }
        byte[] written = Files.readAllBytes(log);
        await(store.close());
        Files.write(database, before);
        return written;
    }

    private OpenStore open() {
        return await(SqliteEventStore.open(vertx, folder));
    }

    private StoreException refusal() {
        return (StoreException) failure(SqliteEventStore.open(vertx, folder));
    }

    /** How many events both runs have; empty when the damage is reported. */
    private Optional<Integer> readAll() {
        OpenStore store;
        try {
            store = open();
        } catch (StoreException reported) {
            return Optional.empty();
        }
        try {
            int events = 0;
            for (String run : new String[] {"run-1", "run-2"}) {
                assertThat(await(store.load(run))).isPresent();
                events += await(store.events(run, 0, 1000)).size();
            }
            return Optional.of(events);
        } catch (StoreException reported) {
            return Optional.empty();
        } finally {
            await(store.close());
        }
    }

    private void tamper(String change) throws SQLException {
        try (Connection connection = new StoreFile(database).openForWriting(Duration.ZERO, false)) {
            StoreFile.execute(connection, change);
        }
    }
}
