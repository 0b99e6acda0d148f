package dev.loopkeeper.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** The database file {@code events.db} of a data folder and its write-ahead log {@code events.db-wal}. */
final class StoreFile {
    /** Name inside the data folder. */
    static final String NAME = "events.db";

    private final Path database;
    private final Path log;
    private final StoreTrouble trouble;

    StoreFile(Path database) {
        this.database = database;
        this.log = database.resolveSibling(database.getFileName() + "-wal");
        this.trouble = new StoreTrouble(database);
    }

    static StoreFile in(Path dataFolder) {
        return new StoreFile(dataFolder.toAbsolutePath().resolve(NAME));
    }

    Path database() {
        return database;
    }

    Path log() {
        return log;
    }

    StoreTrouble trouble() {
        return trouble;
    }

    /** For the one writer: every commit is on the disk before it is reported. */
    Connection openForWriting(Duration busyTimeout, boolean create) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        if (!create) {
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        Connection connection = connect(config.toProperties());
        try {
            // Without spilling, a batch reaches the log only when it commits: the log has no half batches in it.
            execute(
                    connection,
                    "PRAGMA busy_timeout=" + busyTimeout.toMillis(),
                    "PRAGMA journal_mode=WAL",
                    "PRAGMA synchronous=FULL",
                    "PRAGMA cache_spill=OFF",
                    "PRAGMA journal_size_limit=67108864");
            return connection;
        } catch (SQLException refused) {
            connection.close();
            throw refused;
        }
    }

    /** Leaves the database's content as it is. */
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

    /** What tells this very file from one that was put in its place; null when there is none. */
    static Object identity(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** As a URI, since the driver takes a question mark in a plain path for the beginning of options. */
    private Connection connect(Properties settings) throws SQLException {
        return JDBC.createConnection(JDBC.PREFIX + database.toUri(), settings);
    }
}
