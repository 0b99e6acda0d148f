package dev.loopkeeper.store.sqlite;

import java.sql.Connection;
import java.sql.SQLException;

/** Test hook that counts commits or makes a write fail. */
interface StoreProbe {
    /** Does nothing. */
    StoreProbe NONE = new StoreProbe() {};

    /** Called when a connection for writing was opened. */
    default void opened(Connection connection) throws SQLException {}

    /** Called before this step; an exception simulates a disk failure. */
    default void before(Point point) throws SQLException {}

    /** Steps of a batch. */
    enum Point {
        BEGIN,
        EVENT,
        RUN,
        SNAPSHOT,
        KEY,
        RECEIPT,
        COMMIT,
        /** All writes are in the log: a failure here is a failed sync, after which the writes may still be found. */
        ANSWER
    }
}
