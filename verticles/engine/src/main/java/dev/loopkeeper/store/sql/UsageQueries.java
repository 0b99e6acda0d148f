package dev.loopkeeper.store.sql;

import dev.loopkeeper.policy.Window;
import dev.loopkeeper.store.UsageStore.UsageSum;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What steps have reported: rows in the order of positions, written with the events that report it. */
record UsageQueries(StoreConnection connection) {
    private static final String SELECT = "SELECT name, workspace, max(position), CAST(sum(cost) AS bigint),"
            + " CAST(sum(estimated) AS bigint), CAST(sum(tokens) AS bigint), CAST(sum(unknown_steps) AS bigint)"
            + " FROM reported_usage WHERE ";
    private static final String GROUP = " GROUP BY name, workspace";

    /** Of newer rows, which are few, the times are compared one by one: their index has all rows of the window. */
    Future<List<UsageSum>> in(Window.Span window, long after) {
        List<Object> values = new ArrayList<>(
                List.of(window.start().toEpochMilli(), window.end().toEpochMilli()));
        if (after > 0) {
            values.add(after);
        }
        String where = after > 0 ? "at_ms + 0 >= ? AND at_ms + 0 < ? AND position > ?" : "at_ms >= ? AND at_ms < ?";
        return connection.all(SELECT + where + GROUP, UsageQueries::sum, values.toArray());
    }

    private static UsageSum sum(SqlRow row) {
        return new UsageSum(
                row.text(0), row.text(1), row.number(2), row.number(3), row.number(4), row.number(5), row.number(6));
    }

    Future<Void> forget(Instant before) {
        return connection.change("DELETE FROM reported_usage WHERE at_ms < ?", before.toEpochMilli());
    }
}
