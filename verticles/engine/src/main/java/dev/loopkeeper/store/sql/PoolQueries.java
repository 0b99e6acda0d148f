package dev.loopkeeper.store.sql;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.pool.PoolClaim;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.pool.PoolState;
import dev.loopkeeper.store.RowChecksum;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The pools: one row each while a run uses it or a cool-down holds. */
record PoolQueries(StoreConnection connection) {
    private static final String SELECT = "SELECT name, state, checksum FROM pools";

    Future<Map<String, PoolState>> all() {
        return connection
                .all(SELECT + " ORDER BY name", row -> Map.entry(row.text(0), state(row)))
                .map(rows -> {
                    Map<String, PoolState> pools = new LinkedHashMap<>();
                    rows.forEach(row -> pools.put(row.getKey(), row.getValue()));
                    return pools;
                });
    }

    private PoolState state(SqlRow row) {
        return connection.dialect().named(row, PoolState.class, "the pool ");
    }

    /**
     * Inserts the row first, so that the first claims of two nodes follow each other too.
     *
     * @param lost returns those of these runs whose agents are certainly gone
     */
    Future<PoolState> change(
            String name, List<PoolInput> inputs, OptionalInt places, Function<Set<String>, Future<List<String>>> lost) {
        return write(name, PoolState.EMPTY, "NOTHING")
                .compose(there -> connection.first(
                        SELECT + " WHERE name = ?" + connection.dialect().forUpdate(), this::state, name))
                .map(found -> found.orElse(PoolState.EMPTY))
                .compose(before -> lost.apply(runs(before)).compose(gone -> {
                    PoolState after = before;
                    for (String runId : gone) {
                        after = after.after(new PoolInput.Left(inputs.get(0).at(), runId), places);
                    }
                    for (PoolInput input : inputs) {
                        after = after.after(input, places);
                    }
                    return keep(name, before, after);
                }));
    }

    private static Set<String> runs(PoolState state) {
        return state.claims().values().stream().map(PoolClaim::runId).collect(Collectors.toSet());
    }

    private Future<PoolState> keep(String name, PoolState before, PoolState after) {
        Future<Void> written = after.equals(PoolState.EMPTY)
                ? connection.change("DELETE FROM pools WHERE name = ?", name)
                : after.equals(before)
                        ? Future.succeededFuture()
                        : write(name, after, "UPDATE SET state = excluded.state, checksum = excluded.checksum");
        return written.map(after);
    }

    private Future<Void> write(String name, PoolState state, String onConflict) {
        String json = Json.MAPPER.valueToTree(state).toString();
        return connection.change(
                "INSERT INTO pools (name, state, checksum) VALUES (?, ?, ?) ON CONFLICT (name) DO " + onConflict,
                name,
                json,
                RowChecksum.of(name, json));
    }
}
