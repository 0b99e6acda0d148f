package dev.loopkeeper.store.sql;

import dev.loopkeeper.store.PolicyStore.StoredPolicy;
import dev.loopkeeper.store.RowChecksum;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalLong;

/** The policy of all runs: one row, absent until the first is applied. */
record PolicyQueries(StoreConnection connection) {
    private static final String SELECT = "SELECT policy, version, checksum FROM policy";
    private static final String INSERT =
            "INSERT INTO policy (one, policy, version, checksum) VALUES (1, ?, ?, ?)" + " ON CONFLICT (one) DO ";

    Future<Optional<StoredPolicy>> otherThan(long version) {
        return connection.first(SELECT + " WHERE version <> ?", this::policy, version);
    }

    private StoredPolicy policy(SqlRow row) {
        StoredPolicy stored = new StoredPolicy(row.number(1), row.text(0));
        if (row.number(2) != checksum(stored)) {
            throw connection.dialect().damaged("the policy");
        }
        return stored;
    }

    private static long checksum(StoredPolicy policy) {
        return RowChecksum.of(policy.version(), policy.json());
    }

    /** Inserts the row first, so that the first policies of two nodes follow each other too. */
    Future<Optional<StoredPolicy>> put(String json, OptionalLong expected) {
        return change("NOTHING", StoredPolicy.NONE)
                .compose(there -> connection.first(SELECT + connection.dialect().forUpdate(), this::policy))
                .map(found -> found.filter(known -> expected.isEmpty() || expected.getAsLong() == known.version())
                        .map(known -> known.replacedBy(json)))
                .compose(next -> next.isEmpty()
                        ? Future.succeededFuture(next)
                        : change(
                                        "UPDATE SET policy = excluded.policy, version = excluded.version,"
                                                + " checksum = excluded.checksum",
                                        next.get())
                                .map(next));
    }

    private Future<Void> change(String onConflict, StoredPolicy policy) {
        return connection.change(INSERT + onConflict, policy.json(), policy.version(), checksum(policy));
    }
}
