package dev.loopkeeper.store.sqlite;

import java.sql.Connection;
import java.sql.SQLException;

/** Stands where writes happen, for tests that count commits or let one of them fail. */
interface StoreProbe {
    /** Sees nothing, lets everything pass. */
    StoreProbe NONE = new StoreProbe() {};

    /** A connection for writing was opened. */
    default void opened(Connection connection) throws SQLException {}

    /** The writer is about to do this; throwing stands for the disk's refusal. */
    default void before(Point point) throws SQLException {}

    /** What a batch of appends consists of. */
    enum Point {
        BEGIN,
        EVENT,
        RUN,
        SNAPSHOT,
        KEY,
        RECEIPT,
        COMMIT,
        /** Everything is in the log: a failure here is a sync that failed, whose writes may be found all the same. */
        ANSWER
    }
}
