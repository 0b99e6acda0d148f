package dev.loopkeeper.store.sql;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.store.FireStore;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StoredText;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The fires of schedules, one row each. */
record FireQueries(StoreConnection connection) {
    private static final String SELECT = "SELECT schedule, fire, checksum FROM fires f WHERE ";
    private static final String OF_KEY = "schedule = ? AND fire_key = ?";
    private static final String OPEN = Outcome.OPEN.stream()
            .map(outcome -> "'" + outcome.wire() + "'")
            .sorted()
            .collect(Collectors.joining(", ", "outcome IN (", ")"));

    private static final String TRIED = "schedule = ? AND outcome IN ('started', 'failed', 'sent')";

    Future<Fire> add(Fire fire) {
        String json = json(fire);
        return connection
                .change(
                        "INSERT INTO fires (schedule, fire_key, at, source, outcome, fire, checksum)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (schedule, fire_key) DO NOTHING",
                        fire.schedule(),
                        fire.key(),
                        StoredText.of(fire.at()),
                        fire.by().wire(),
                        fire.outcome().wire(),
                        json,
                        RowChecksum.of(fire.schedule(), json))
                .compose(added -> removeOld(fire))
                .compose(removed -> find(fire));
    }

    /** Of applications only the newest stays. */
    private Future<Void> removeOld(Fire fire) {
        return connection.change(
                "DELETE FROM fires WHERE schedule = ? AND source = ? AND NOT " + OPEN + " AND at < (SELECT f.at FROM"
                        + " fires f WHERE f.schedule = ? AND f.source = ? ORDER BY f.at DESC LIMIT 1 OFFSET ?)"
                        + " AND at <> COALESCE((SELECT MAX(at) FROM fires WHERE " + TRIED + "), '')",
                fire.schedule(),
                fire.by().wire(),
                fire.schedule(),
                fire.by().wire(),
                fire.by() == By.POLICY ? 0 : FireStore.KEPT - 1,
                fire.schedule());
    }

    private Future<Fire> find(Fire fire) {
        return connection
                .first(SELECT + OF_KEY, this::fire, fire.schedule(), fire.key())
                .map(found -> found.orElse(fire));
    }

    Future<Fire> change(Fire fire) {
        String json = json(fire);
        return connection
                .change(
                        "UPDATE fires SET outcome = ?, fire = ?, checksum = ? WHERE " + OF_KEY + " AND " + OPEN,
                        fire.outcome().wire(),
                        json,
                        RowChecksum.of(fire.schedule(), json),
                        fire.schedule(),
                        fire.key())
                .compose(changed -> find(fire));
    }

    Future<List<Fire>> newest(String schedule, int limit) {
        return connection.all(
                SELECT + "schedule = ? AND source <> ? ORDER BY at DESC LIMIT ?",
                this::fire,
                schedule,
                By.POLICY.wire(),
                limit);
    }

    Future<Optional<Fire>> newestTried(String schedule) {
        return connection.first(SELECT + TRIED + " ORDER BY at DESC LIMIT 1", this::fire, schedule);
    }

    Future<List<Fire>> open() {
        return connection.all(SELECT + OPEN + " ORDER BY at", this::fire);
    }

    /** The column of a failed fire says whether it is sent, which its JSON does not have. */
    Future<List<Fire>> unsent() {
        return connection.all(SELECT + "outcome = 'failed' ORDER BY at", this::fire);
    }

    Future<Void> sent(Fire fire) {
        return connection.change(
                "UPDATE fires SET outcome = 'sent' WHERE " + OF_KEY + " AND outcome = 'failed'",
                fire.schedule(),
                fire.key());
    }

    Future<List<Fire>> newestTimes() {
        return connection.all(
                SELECT + "source IN (?, ?) AND NOT EXISTS (SELECT 1 FROM fires later WHERE later.schedule = f.schedule"
                        + " AND later.source = f.source AND later.at > f.at)",
                this::fire,
                By.CRON.wire(),
                By.POLICY.wire());
    }

    private Fire fire(SqlRow row) {
        return connection.dialect().named(row, Fire.class, "a fire of schedule ");
    }

    private static String json(Fire fire) {
        return Json.MAPPER.valueToTree(fire).toString();
    }
}
