package dev.loopkeeper.store.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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
    /** Name inside the data folder. */
    static final String NAME = "events.db";

    private static final Logger LOG = LoggerFactory.getLogger(StoreFile.class);
    /** Some 16 MB of log, which a start after a crash reads through. */
    private static final int PAGES_BETWEEN_CHECKPOINTS = 4000;

    private final Path database;
    private final Path log;
    private final Path closed;
    private final StoreTrouble trouble;

    private final boolean copy;

    StoreFile(Path database) {
        this(database, database, false);
    }

    private StoreFile(Path database, Path shown, boolean copy) {
        this.database = database;
        this.log = database.resolveSibling(database.getFileName() + "-wal");
        this.closed = database.resolveSibling(database.getFileName() + ".closed");
        this.trouble = new StoreTrouble(shown);
        this.copy = copy;
    }

    /** A copy to be made in this folder, in whose trouble the original is named. */
    static StoreFile copyIn(Path folder, StoreFile original) {
        return new StoreFile(folder.resolve(NAME), original.database, true);
    }

    /** Removes what was only copied to be read; nothing else. */
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

    /** 0 where there is none; whoever was the last to read the database takes it away. */
    long logBytes() throws IOException {
        try {
            return Files.size(log);
        } catch (NoSuchFileException none) {
            return 0;
        }
    }

    /**
     * Notes the facts of this file as it was closed in order, unless it was found damaged. A start on a file with these
     * facts does not read all of it: a change of any kind gives it others, which only the kernel sets.
     */
    void noteClosed() {
        try {
            if (trouble.foundDamage()) {
                Files.writeString(closed, "");
            } else if (logBytes() == 0) {
                Files.writeString(closed, facts());
            }
        } catch (IOException notNoted) {
            LOG.debug("the next start reads all of {}: {}", database, notNoted.toString());
        }
    }

    /** Creates the file of the note now: on a full disk a new file would take what a later reader needs. */
    void reserveNote() throws IOException {
        if (!Files.exists(closed)) {
            Files.createFile(closed);
        }
    }

    /** Whether it is as {@link #noteClosed} left it. */
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

    StoreTrouble trouble() {
        return trouble;
    }

    /** For the one writer: every commit is on the disk before it is reported. */
    Connection openForWriting(Duration busyTimeout, boolean create) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        // Nobody asks for them, and each statement would be searched for an insert.
        config.setGetGeneratedKeys(false);
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
                    // What a statement of many rows may have to take back would lie in a file of /var/tmp.
                    "PRAGMA temp_store=MEMORY",
                    // Most pages are written again and again: copied into the database less often, each costs less.
                    "PRAGMA wal_autocheckpoint=" + PAGES_BETWEEN_CHECKPOINTS,
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
