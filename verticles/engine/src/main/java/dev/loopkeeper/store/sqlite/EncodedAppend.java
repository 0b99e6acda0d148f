package dev.loopkeeper.store.sqlite;

import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredText;
import java.util.List;
import java.util.Optional;

/** The rows of an append, serialized on the caller's thread, so that the writer thread only writes. */
record EncodedAppend(
        String runId,
        long expectedSequence,
        long epoch,
        List<Event> events,
        Row row,
        Optional<Snapshot> snapshot,
        Optional<String> idempotencyKey,
        Optional<Used> used) {

    /** The row of an event without its position, which the writer assigns. */
    static final class Event {
        private final String runId;
        private final long sequence;
        private final String at;
        private final String type;
        private final int execution;
        private final String data;
        private final String stepId;
        private final byte[] counted;

        private Event(StoredEvent event) {
            this.runId = event.runId();
            this.sequence = event.sequence();
            this.at = event.at().toString();
            this.type = event.type();
            this.execution = event.execution();
            this.data = StoredText.of(event.data());
            this.stepId = event.stepId();
            this.counted = RowChecksum.counted(runId, sequence, at, type, execution, data);
        }

        /** Returns the columns in order. */
        Object[] at(long position) {
            long checksum = RowChecksum.of(position, counted);
            return new Object[] {position, runId, sequence, at, type, execution, data, checksum, stepId};
        }
    }

    /** The row of the run with its checksum. */
    record Row(String name, String status, String createdAt, String updatedAt, String view, long checksum) {}

    /** Reported usage, and the workspace of its run. */
    record Used(ReportedUsage reported, String workspace) {}

    /** The row of a snapshot with its checksum. */
    record Snapshot(String runId, long sequence, String state, long checksum) {
        static Snapshot of(String runId, long sequence, String state) {
            return new Snapshot(runId, sequence, state, RowChecksum.of(runId, sequence, state));
        }
    }

    static EncodedAppend of(AppendEvents append) {
        List<StoredEvent> events = append.events();
        long last = last(append.expectedSequence(), events);
        return new EncodedAppend(
                append.runId(),
                append.expectedSequence(),
                append.epoch(),
                events.stream().map(Event::new).toList(),
                row(append, last),
                append.snapshot().map(state -> Snapshot.of(append.runId(), last, state)),
                append.idempotencyKey(),
                append.used().map(used -> new Used(used, append.row().workspace())));
    }

    private static long last(long expectedSequence, List<?> events) {
        return expectedSequence + events.size();
    }

    /** Returns the run's last sequence after the append. */
    long last() {
        return last(expectedSequence, events);
    }

    private static Row row(AppendEvents append, long last) {
        RunRow row = append.row();
        String createdAt = StoredText.of(row.createdAt());
        String updatedAt =
                StoredText.of(append.events().get(append.events().size() - 1).at());
        String view = StoredText.of(row.view());
        long checksum =
                RowChecksum.of(row.name(), row.status(), createdAt, updatedAt, append.epoch(), last, view, row.runId());
        return new Row(row.name(), row.status(), createdAt, updatedAt, view, checksum);
    }
}
