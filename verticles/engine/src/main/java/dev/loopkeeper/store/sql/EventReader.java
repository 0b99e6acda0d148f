package dev.loopkeeper.store.sql;

import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rows of {@code events} and verifies their checksums. */
record EventReader(SqlDialect dialect) {
    static final String LARGE = "data";
    static final String COLUMNS = "position, run_id, sequence, at, type, execution, checksum";

    private static final Logger LOG = LoggerFactory.getLogger(EventReader.class);

    PositionedEvent event(SqlRow row) {
        long position = row.number(1);
        String runId = row.text(2);
        long sequence = row.number(3);
        String at = row.text(4);
        String type = row.text(5);
        int execution = (int) row.number(6);
        String data = row.text(0);
        byte[] counted = RowChecksum.counted(runId, sequence, at, type, execution, data);
        long checksum = dialect.positionInChecksum() ? RowChecksum.of(position, counted) : RowChecksum.of(counted);
        if (checksum != row.number(7)) {
            throw dialect.damaged("event " + sequence + " of run " + runId);
        }
        return new PositionedEvent(
                position, new StoredEvent(runId, sequence, Instant.parse(at), type, execution, StoredText.json(data)));
    }

    /** Returns empty for a damaged event, which is logged, so that the feed of other runs continues. */
    Optional<PositionedEvent> intact(SqlRow row) {
        try {
            return Optional.of(event(row));
        } catch (StoreException damaged) {
            LOG.error("omitted from the feed: {}", damaged.getMessage());
            return Optional.empty();
        }
    }

    /** Fails unless these events follow {@code since} without a gap. */
    List<PositionedEvent> inOrder(String runId, long since, List<PositionedEvent> events) {
        for (int index = 0; index < events.size(); index++) {
            if (events.get(index).event().sequence() != since + index + 1) {
                throw dialect.damaged("event " + (since + index + 1) + " of run " + runId);
            }
        }
        return events;
    }
}
