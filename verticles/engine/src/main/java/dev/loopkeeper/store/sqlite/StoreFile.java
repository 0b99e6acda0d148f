package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.data.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** The database file {@code events.db} of a data folder and its write-ahead log {@code events.db-wal}. */
final class StoreFile {
    /** File name in the data folder. */
    static final String NAME = "events.db";

    private static final Logger LOG = LoggerFactory.getLogger(StoreFile.class);
    /** About 16 MB of log, which a start after a crash verifies. */
    private static final int PAGES_BETWEEN_CHECKPOINTS = 4000;

    private final Path database;
    private final Path log;
    private final Path closed;
    private final StoreFailures failures;

    private final boolean copy;

    StoreFile(Path database) {
        this(database, database, false);
    }

    private StoreFile(Path database, Path shown, boolean copy) {
        this.database = database;
        this.log = database.resolveSibling(database.getFileName() + "-wal");
        this.closed = database.resolveSibling(database.getFileName() + ".closed");
        this.failures = new StoreFailures(shown);
        this.copy = copy;
    }

    /** A copy in this folder, whose failures name the original. */
    static StoreFile copyIn(Path folder, StoreFile original) {
        return new StoreFile(folder.resolve(NAME), original.database, true);
    }

    /** Removes the file if it is a copy. */
    void discardCopy() {
        if (!copy) {
            return;
        }
        try {
            for (String part : new String[] {"", "-wal", "-shm"}) {
                Files.deleteIfExists(database.resolveSibling(NAME + part));
            }
            Files.deleteIfExists(database.getParent());
        } catch (IOException left) {
            LOG.warn("a copy of the store is left in {}: {}", database.getParent(), left.toString());
        }
    }

    static StoreFile in(Path dataFolder) {
        return new StoreFile(dataFolder.toAbsolutePath().resolve(NAME));
    }

    Path folder() {
        return database.getParent();
    }

    Path database() {
        return database;
    }

    Path log() {
        return log;
    }

    /** Returns 0 if there is no log; the last reader of a database removes it. */
    long logBytes() throws IOException {
        try {
            return Files.size(log);
        } catch (NoSuchFileException none) {
            return 0;
        }
    }

    /**
     * Records the file's attributes after an orderly close, unless damage was found. A start on a file with these
     * attributes skips the complete verification: any change alters attributes that only the kernel sets.
     */
    void noteClosed() {
        try {
            if (failures.foundDamage()) {
                OwnerOnly.write(closed, "");
            } else if (logBytes() == 0) {
                OwnerOnly.write(closed, facts());
            }
        } catch (IOException notNoted) {
            LOG.debug("the next start verifies all of {}: {}", database, notNoted.toString());
        }
    }

    /** Creates the file of the record now, since on a full disk it could not be created later. */
    void reserveNote() throws IOException {
        OwnerOnly.touch(closed);
    }

    /** Returns whether the file is as {@link #noteClosed} left it. */
    boolean isAsClosed() {
        try {
            return logBytes() == 0
                    && Files.exists(closed)
                    && Files.readString(closed, StandardCharsets.ISO_8859_1).equals(facts());
        } catch (IOException unknown) {
            return false;
        }
    }

    private String facts() throws IOException {
        return new TreeMap<>(Files.readAttributes(database, "unix:dev,ino,size,lastModifiedTime,ctime")).toString();
    }

    StoreFailures failures() {
        return failures;
    }

    /** Opens the only writer. Each commit is synced before it returns. */
    Connection openForWriting(Duration busyTimeout, boolean create) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        // Generated keys are not used, and the driver would parse each statement for them.
        config.setGetGeneratedKeys(false);
        if (!create) {
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        Connection connection = connect(config.toProperties());
        try {
            // Without spilling, the log contains complete batches only.
            execute(
                    connection,
                    "PRAGMA busy_timeout=" + busyTimeout.toMillis(),
                    "PRAGMA journal_mode=WAL",
                    "PRAGMA synchronous=FULL",
                    "PRAGMA cache_spill=OFF",
                    // Otherwise statement journals of many rows would be written to /var/tmp.
                    "PRAGMA temp_store=MEMORY",
                    // Most pages are written repeatedly; rarer checkpoints copy each of them less often.
                    "PRAGMA wal_autocheckpoint=" + PAGES_BETWEEN_CHECKPOINTS,
                    "PRAGMA journal_size_limit=67108864");
            return connection;
        } catch (SQLException refused) {
            connection.close();
            throw refused;
        }
    }

    /** Opens the database without changing its content. */
    Connection openForReading() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        Connection connection = connect(config.toProperties());
        try {
            execute(connection, "PRAGMA busy_timeout=5000", "PRAGMA query_only=ON");
            return connection;
        } catch (SQLException refused) {
            connection.close();
            throw refused;
        }
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Uses a URI, because the driver treats a question mark in a plain path as the start of options. */
    private Connection connect(Properties settings) throws SQLException {
        return JDBC.createConnection(JDBC.PREFIX + database.toUri(), settings);
    }
}
