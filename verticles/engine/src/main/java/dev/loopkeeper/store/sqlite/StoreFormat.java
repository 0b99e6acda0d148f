package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.sql.SharedTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates, verifies and migrates the database before it is opened for writing. */
final class StoreFormat {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFormat.class);
    private static final int SMALLEST_PAGE = 512;
    private static final String NONE = "none";

    /** Key of the format version in {@code meta}. */
    private static final String VERSION = "storeFormat";

    /** Finds the version in databases of development versions before 0.1.0. */
    private static final String DEVELOPMENT_VERSION = "SELECT value FROM meta WHERE key IN ('format', 'formatVersion')";

    private static final String[] TABLES = {
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        // AUTOINCREMENT: positions are never reused, not even after runs were removed.
        "CREATE TABLE events (position INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL,"
                + " sequence INTEGER NOT NULL, at TEXT NOT NULL, type TEXT NOT NULL, execution INTEGER NOT NULL,"
                + " data TEXT NOT NULL, checksum INTEGER NOT NULL, step_id TEXT, UNIQUE (run_id, sequence))",
        "CREATE TABLE runs (run_id TEXT PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL,"
                + " created_at TEXT NOT NULL, updated_at TEXT NOT NULL, epoch INTEGER NOT NULL,"
                + " last_sequence INTEGER NOT NULL, view TEXT NOT NULL, checksum INTEGER NOT NULL)",
        "CREATE TABLE receipts (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, receipt TEXT NOT NULL,"
                + " checksum INTEGER NOT NULL)",
        "INSERT INTO meta VALUES ('" + VERSION + "', '1')",
    };

    /** Statements from each format to the next, beginning with format 1, that of release 0.1.0. Only append to this list. */
    static final List<String[]> STEPS = List.of();

    private final StoreFile file;
    private final List<String[]> steps;

    StoreFormat(StoreFile file) {
        this(file, STEPS);
    }

    StoreFormat(StoreFile file, List<String[]> steps) {
        this.file = file;
        this.steps = steps;
    }

    /** Returns the format of this version; 1 is that of release 0.1.0. */
    private int current() {
        return 1 + steps.size();
    }

    /** Creates a store if there was none; refuses a damaged store or an unknown format. */
    void prepare(boolean thorough) {
        try {
            if (Files.exists(file.database())) {
                new LogCheck(file).refuseDamage();
                refuseCutOff();
                migrate(checkContent(thorough && !file.isAsClosed()));
            } else {
                refuseIfLost();
                create();
            }
            file.reserveNote();
        } catch (SQLException unusable) {
            throw file.failures().of(unusable);
        } catch (IOException unusable) {
            throw refusal(
                    "cannot be created: " + unusable, "Check the folder's permissions and the disk space.", unusable);
        }
    }

    /** Refuses a damaged store or an unknown format, also while its owner writes. */
    void checkForReading() {
        try {
            if (!Files.exists(file.database())) {
                throw refusal(
                        "does not exist", "Name the data folder of a Loopkeeper that has been started before.", null);
            }
            int found = checkContent(false);
            if (found < current()) {
                throw refusal(
                        "has the older format " + found,
                        "Start this Loopkeeper on it once, e.g. with serve, to migrate it.",
                        null);
            }
        } catch (SQLException unusable) {
            throw file.failures().of(unusable);
        } catch (IOException unusable) {
            throw refusal("cannot be read: " + unusable, "Check its permissions.", unusable);
        }
    }

    private void migrate(int found) throws SQLException {
        if (found == current()) {
            return;
        }
        LOG.info("Upgrading {} from format {} to {}", file.database(), found, current());
        try (Connection connection = file.openForWriting(Duration.ZERO, false)) {
            StoreFile.execute(connection, "BEGIN IMMEDIATE");
            try {
                upgrade(connection, found);
                StoreFile.execute(connection, "COMMIT");
            } catch (SQLException refused) {
                StoreFile.execute(connection, "ROLLBACK");
                throw refused;
            }
        }
    }

    private void upgrade(Connection connection, int found) throws SQLException {
        for (String[] step : steps.subList(found - 1, steps.size())) {
            StoreFile.execute(connection, step);
        }
        StoreFile.execute(connection, "UPDATE meta SET value = '" + current() + "' WHERE key = '" + VERSION + "'");
    }

    /** Returns the format. Refuses a damaged file or a newer format, and changes nothing. */
    private int checkContent(boolean thorough) throws SQLException, IOException {
        if (!Files.isRegularFile(file.database())) {
            throw refusal("is not a file", "Move it aside, or name another data folder.", null);
        }
        if (Files.size(file.database()) == 0) {
            throw refusal("is empty, so its runs are lost", restoreOrMove(), null);
        }
        try (Connection connection = file.openForReading()) {
            int found = checkVersion(connection);
            if (thorough) {
                checkPages(connection);
            }
            return found;
        }
    }

    /** SQLite reads a truncated page as if zeros followed, which is right only while the log has the complete page. */
    private void refuseCutOff() throws IOException {
        boolean logged = file.logBytes() > 0;
        if (!logged && Files.isRegularFile(file.database()) && Files.size(file.database()) % SMALLEST_PAGE != 0) {
            throw refusal("is truncated", restoreOrMove(), null);
        }
    }

    private int checkVersion(Connection connection) throws SQLException {
        if (answer(connection, "SELECT count(*) FROM sqlite_master WHERE name = 'meta'")
                .equals("0")) {
            throw refusal("is a database, but not one of Loopkeeper", restoreOrMove(), null);
        }
        String found = answer(connection, "SELECT value FROM meta WHERE key = '" + VERSION + "'");
        if (found.equals(NONE) && !answer(connection, DEVELOPMENT_VERSION).equals(NONE)) {
            throw refusal(
                    "was written by a development version before 0.1.0",
                    "It was left as it is. Name another data folder, or move it aside with its -wal file and the folder"
                            + " runs.",
                    null);
        }
        if (!found.matches("[1-9][0-9]{0,8}") || Integer.parseInt(found) > current()) {
            String what = "has format " + found + ", this Loopkeeper knows " + current();
            throw refusal(what, "Use the Loopkeeper that wrote it, or a newer one; nothing was changed.", null);
        }
        return Integer.parseInt(found);
    }

    private void checkPages(Connection connection) throws SQLException {
        // Also verifies the indexes of runs; a gap in those of events is found when they are read.
        for (String check :
                new String[] {"quick_check(1)", "integrity_check(runs)", "integrity_check(idempotency_keys)"}) {
            String verdict = answer(connection, "PRAGMA " + check);
            if (!verdict.equals("ok")) {
                throw refusal("is damaged (" + verdict + ")", restoreOrMove(), null);
            }
        }
    }

    /** A lost store must not look like a new one. */
    private void refuseIfLost() throws IOException {
        Path runs = file.database().resolveSibling("runs");
        if (Files.exists(file.log())) {
            throw refusal("is missing, but its log " + file.log() + " exists", restoreOrMove(), null);
        }
        if (hasCheckpoints(runs)) {
            String remedy = "Restore it from a backup, or move " + runs + " aside to begin without these runs.";
            throw refusal("is missing, but " + runs + " has runs", remedy, null);
        }
    }

    private static boolean hasCheckpoints(Path runs) throws IOException {
        if (!Files.isDirectory(runs)) {
            return false;
        }
        try (Stream<Path> folders = Files.list(runs)) {
            return folders.anyMatch(folder -> Files.exists(folder.resolve(CheckpointFile.NAME)));
        }
    }

    /** Creates it under another name first, since a crash in between must not leave a store without its tables. */
    private void create() throws SQLException, IOException {
        StoreFile draft = new StoreFile(file.database().resolveSibling(StoreFile.NAME + ".new"));
        Files.deleteIfExists(draft.log());
        Files.deleteIfExists(draft.database());
        // SQLite gives its log the rights of the database.
        OwnerOnly.touch(draft.database());
        try (Connection connection = draft.openForWriting(Duration.ZERO, true)) {
            StoreFile.execute(connection, "BEGIN");
            StoreFile.execute(connection, TABLES);
            StoreFile.execute(
                    connection, SharedTables.statements(" text NOT NULL").toArray(String[]::new));
            upgrade(connection, 1);
            StoreFile.execute(connection, "COMMIT");
        }
        AtomicFile.publish(draft.database(), file.database());
    }

    private static String answer(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : NONE;
        }
    }

    private String restoreOrMove() {
        return "It was left as it is. Restore it from a backup, or move it aside with its -wal file (and the folder "
                + "runs) to begin without its runs.";
    }

    private StoreException refusal(String what, String remedy, Exception cause) {
        return new StoreException(file.database() + " " + what + ". " + remedy, cause);
    }
}
