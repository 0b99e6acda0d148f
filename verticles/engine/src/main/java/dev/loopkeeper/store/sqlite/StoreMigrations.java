package dev.loopkeeper.store.sqlite;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * How older layouts of the database become the present one. The table only ever grows at its end; a step that changes
 * a row makes its checksum anew.
 *
 * @param oldest the first format that can be opened
 * @param steps each leads from one format to the next, beginning with {@code oldest}
 * @param readable the first format whose runs can be read as they are: later steps only add tables
 */
record StoreMigrations(int oldest, List<Step> steps, int readable) {
    /** Who is owed which notifications, and which were given up. */
    static final String[] OUTBOX = {
        "CREATE TABLE outbox (run_id TEXT NOT NULL, notification INTEGER NOT NULL, sequence INTEGER NOT NULL,"
                + " owed INTEGER NOT NULL, tries INTEGER NOT NULL, checksum INTEGER NOT NULL,"
                + " PRIMARY KEY (run_id, notification)) WITHOUT ROWID",
        "CREATE INDEX outbox_owing ON outbox (run_id) WHERE owed > sequence",
        "CREATE TABLE outbox_given_up (run_id TEXT NOT NULL, notification INTEGER NOT NULL, sequence INTEGER NOT NULL,"
                + " tries INTEGER NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL,"
                + " PRIMARY KEY (run_id, notification, sequence)) WITHOUT ROWID",
    };

    /** Those of this version. */
    static final StoreMigrations ALL =
            new StoreMigrations(1, List.of(connection -> StoreFile.execute(connection, OUTBOX)), 1);

    /** Nothing but the present format can be read as it is. */
    StoreMigrations(int oldest, List<Step> steps) {
        this(oldest, steps, oldest + steps.size());
    }

    /** One step, inside the transaction of all of them. */
    @FunctionalInterface
    interface Step {
        void apply(Connection connection) throws SQLException;
    }

    /** The format that is written. */
    int current() {
        return oldest + steps.size();
    }

    boolean knows(int format) {
        return format >= oldest && format <= current();
    }

    /** Brings the database up, all steps or none. */
    void apply(Connection connection, int found) throws SQLException {
        StoreFile.execute(connection, "BEGIN IMMEDIATE");
        try {
            for (Step step : steps.subList(found - oldest, steps.size())) {
                step.apply(connection);
            }
            StoreFile.execute(connection, "UPDATE meta SET value = '" + current() + "' WHERE key = 'format'", "COMMIT");
        } catch (SQLException refused) {
            StoreFile.execute(connection, "ROLLBACK");
            throw refused;
        }
    }
}
