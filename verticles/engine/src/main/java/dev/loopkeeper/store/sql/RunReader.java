package dev.loopkeeper.store.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RunChannels.RunCursor;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rows of {@code runs} and verifies their checksums. */
record RunReader(SqlDialect dialect) {
    static final String LARGE = "view";

    private static final Logger LOG = LoggerFactory.getLogger(RunReader.class);
    private static final int THEN = 9;

    /** A run with its creation time for sorting, its last sequence, and its sequence at the requested position. */
    record Found(RunRow row, String createdAt, long lastSequence, long then) {}

    /** @param then SQL expression for the sequence at the requested position */
    String columns(String then) {
        return "run_id, name, status, created_at, updated_at, epoch, last_sequence, checksum, " + then
                + dialect.ownerColumns();
    }

    Found run(SqlRow row) {
        String view = row.text(0);
        String runId = row.text(1);
        long lastSequence = row.number(7);
        long checksum = RowChecksum.of(
                row.text(2), row.text(3), row.text(4), row.text(5), row.number(6), lastSequence, view, runId);
        if (checksum != row.number(8)) {
            throw dialect.damaged("the row of run " + runId);
        }
        Instant createdAt = Instant.parse(row.text(4));
        JsonNode shown = StoredText.json(view);
        if (shown instanceof ObjectNode run) {
            dialect.owner().addTo(run, createdAt, row, THEN + 1);
        }
        return new Found(
                new RunRow(runId, row.text(2), row.text(3), createdAt, shown),
                row.text(4),
                lastSequence,
                row.number(THEN));
    }

    /** A damaged run is listed with its damage in place of its content, and without events. */
    Found listed(SqlRow row) {
        try {
            return run(row);
        } catch (StoreException damaged) {
            LOG.debug("a run is listed without its content: {}", damaged.getMessage());
            String runId = row.text(1);
            JsonNode view =
                    JsonNodeFactory.instance.objectNode().put("runId", runId).put("damage", damaged.getMessage());
            return new Found(new RunRow(runId, row.text(2), row.text(3), Instant.EPOCH, view), row.text(4), 0, 0);
        }
    }

    /** Returns a page of at most {@code limit} runs, from one more row. */
    static RunPage page(BoundedRows<Found> found, int limit) {
        List<Found> rows = found.rows();
        boolean more = rows.size() > limit || found.full();
        List<Found> shown = rows.subList(0, Math.min(limit, rows.size()));
        Optional<String> next = Optional.empty();
        if (more) {
            Found last = shown.get(shown.size() - 1);
            next = Optional.of(new RunCursor(last.createdAt(), last.row().runId()).text());
        }
        return new RunPage(shown.stream().map(Found::row).toList(), next);
    }
}
