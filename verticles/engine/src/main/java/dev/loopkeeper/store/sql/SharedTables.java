package dev.loopkeeper.store.sql;

import java.util.List;

/** The tables and indexes that are the same in all databases. SQLite treats {@code bigint} as its integer. */
public final class SharedTables {
    private SharedTables() {}

    /**
     * Returns the statements that create them, beside tables {@code runs}, {@code events} and {@code receipts}.
     *
     * @param text type of a column whose values are compared as bytes, e.g. {@code " text NOT NULL"}
     */
    public static List<String> statements(String text) {
        return List.of(
                "CREATE INDEX runs_by_age ON runs (created_at, run_id)",
                "CREATE INDEX runs_by_status ON runs (status, created_at, run_id)",
                "CREATE INDEX events_by_step ON events (run_id, step_id) WHERE step_id IS NOT NULL",
                "CREATE INDEX receipts_by_run ON receipts (run_id, id)",
                "CREATE TABLE snapshots (run_id" + text + ", sequence bigint NOT NULL, state text NOT NULL,"
                        + " checksum bigint NOT NULL, PRIMARY KEY (run_id, sequence))",
                "CREATE TABLE idempotency_keys (key" + text + " PRIMARY KEY, run_id" + text + ")",
                "CREATE INDEX idempotency_keys_by_run ON idempotency_keys (run_id)",
                "CREATE TABLE outbox (run_id" + text + ", notification integer NOT NULL, sequence bigint NOT NULL,"
                        + " newest_pending bigint NOT NULL, tries integer NOT NULL, checksum bigint NOT NULL,"
                        + " PRIMARY KEY (run_id, notification))",
                "CREATE INDEX outbox_pending ON outbox (run_id) WHERE newest_pending > sequence",
                "CREATE TABLE policy (one integer PRIMARY KEY CHECK (one = 1), policy text NOT NULL,"
                        + " version bigint NOT NULL, checksum bigint NOT NULL)",
                "CREATE TABLE reported_usage (position bigint NOT NULL PRIMARY KEY, at_ms bigint NOT NULL,"
                        + " name text NOT NULL, workspace text NOT NULL, cost bigint NOT NULL, estimated bigint NOT NULL,"
                        + " tokens bigint NOT NULL, unknown_steps integer NOT NULL)",
                "CREATE INDEX reported_usage_by_time ON reported_usage (at_ms)",
                "CREATE TABLE pools (name" + text + " PRIMARY KEY, state text NOT NULL, checksum bigint NOT NULL)",
                "CREATE TABLE fires (schedule" + text + ", fire_key" + text + ", at" + text + ", source" + text
                        + ", outcome" + text + ", fire text NOT NULL, checksum bigint NOT NULL,"
                        + " PRIMARY KEY (schedule, fire_key))",
                "CREATE INDEX fires_by_time ON fires (schedule, source, at)",
                "CREATE INDEX fires_open ON fires (at) WHERE outcome IN ('due', 'queued')",
                "CREATE INDEX fires_unsent ON fires (at) WHERE outcome = 'failed'");
    }
}
