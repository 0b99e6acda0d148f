package dev.loopkeeper.store.sqlite;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Older formats are upgraded by the steps that they lack, all or none. */
class StoreFormatTest {
    private static final int PRESENT = 1 + StoreFormat.STEPS.size();
    private static final String[] NOTES = {"CREATE TABLE notes (run_id TEXT PRIMARY KEY)"};
    private static final String[] FILLED = {"INSERT INTO notes SELECT run_id FROM runs"};
    private static final String[] BROKEN = {"INSERT INTO missing VALUES (1)"};

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private StoreFile file;

    @BeforeEach
    void fill() {
        file = StoreFile.in(folder);
        OpenStore store = await(SqliteEventStore.open(vertx, folder));
        await(store.append(append("run-1", 0, 3)));
        await(store.close());
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private void prepare(String[]... steps) {
        format(steps).prepare(true);
    }

    private StoreFormat format(String[]... steps) {
        return new StoreFormat(
                file,
                Stream.concat(StoreFormat.STEPS.stream(), Stream.of(steps)).toList());
    }

    private String answer(String query) throws SQLException {
        try (Connection connection = file.openForReading();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.getString(1);
        }
    }

    @Test
    void takesEachStepOnceAndInOrder() throws SQLException {
        prepare(NOTES);
        assertThat(answer("SELECT value FROM meta WHERE key = 'storeFormat'")).isEqualTo(Integer.toString(PRESENT + 1));
        prepare(NOTES, FILLED);
        prepare(NOTES, FILLED);

        assertThat(answer("SELECT value FROM meta WHERE key = 'storeFormat'")).isEqualTo(Integer.toString(PRESENT + 2));
        assertThat(answer("SELECT group_concat(run_id) FROM notes")).isEqualTo("run-1");
        assertThat(answer("SELECT count(*) FROM events")).isEqualTo("3");
    }

    @Test
    void aStepThatFailsTakesTheOthersBack() throws SQLException {
        assertThat(catchThrowable(() -> prepare(NOTES, FILLED, BROKEN)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(file.database().toString());

        assertThat(answer("SELECT value FROM meta WHERE key = 'storeFormat'")).isEqualTo(Integer.toString(PRESENT));
        assertThat(answer("SELECT count(*) FROM sqlite_master WHERE name = 'notes'"))
                .isEqualTo("0");
        OpenStore store = await(SqliteEventStore.open(vertx, folder));
        assertThat(await(store.events("run-1", 0, 10))).hasSize(3);
        await(store.close());
    }

    @Test
    void aReaderLeavesTheOlderFormatAloneAndSaysWhatToDo() throws IOException {
        byte[] before = Files.readAllBytes(file.database());

        assertThat(catchThrowable(() -> format(NOTES).checkForReading()))
                .hasMessageContaining("older format " + PRESENT)
                .hasMessageContaining("serve");

        assertThat(file.database()).hasBinaryContent(before);
    }

    /** A development version had other columns under the same format; the disk is not to blame. */
    @Test
    void tablesOfAnotherVersionNameTheVersionAsTheCause() throws SQLException {
        try (Connection connection = file.openForWriting(Duration.ZERO, false)) {
            StoreFile.execute(connection, "ALTER TABLE snapshots RENAME COLUMN state TO content");
        }

        assertThat(catchThrowable(() -> {
                    OpenStore store = await(SqliteEventStore.open(vertx, folder));
                    try {
                        await(store.load("run-1"));
                    } finally {
                        await(store.close());
                    }
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no such column")
                .hasMessageContaining("Another version of Loopkeeper or another program has written these tables")
                .hasMessageContaining("name another data folder");
    }

    @Test
    void aFormatBelowTheFirstIsRefusedUntouched() throws IOException, SQLException {
        try (Connection connection = file.openForWriting(Duration.ZERO, false)) {
            StoreFile.execute(connection, "UPDATE meta SET value = '0' WHERE key = 'storeFormat'");
        }
        byte[] before = Files.readAllBytes(file.database());

        assertThat(catchThrowable(() -> prepare(NOTES))).hasMessageContaining("has format 0");

        assertThat(file.database()).hasBinaryContent(before);
    }
}
