package dev.loopkeeper.store.sql;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.store.RowChecksum;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredText;
import java.util.List;
import java.util.Optional;

/**
 * The rows of an append, serialized on the caller's thread, so that the writer only writes. As JSON each row has the names
 * of its columns.
 */
public record EncodedAppend(
        String runId,
        long expectedSequence,
        long epoch,
        List<Event> events,
        Row row,
        Optional<Snapshot> snapshot,
        Optional<String> idempotencyKey,
        Optional<Used> used) {

    /**
     * The row of an event without its position, which the writer assigns.
     *
     * @param counted bytes of the other columns, for checksums
     */
    @JsonNaming(SnakeCaseStrategy.class)
    @SuppressWarnings("ArrayRecordComponent") // rows are not compared
    public record Event(
            @JsonIgnore String runId,
            long sequence,
            String at,
            String type,
            int execution,
            String data,
            String stepId,
            @JsonIgnore byte[] counted) {
        static Event of(StoredEvent event) {
            String at = event.at().toString();
            String data = StoredText.of(event.data());
            byte[] counted =
                    RowChecksum.counted(event.runId(), event.sequence(), at, event.type(), event.execution(), data);
            return new Event(
                    event.runId(),
                    event.sequence(),
                    at,
                    event.type(),
                    event.execution(),
                    data,
                    event.stepId(),
                    counted);
        }

        /** Returns the checksum without the position. */
        @JsonProperty
        public long checksum() {
            return RowChecksum.of(counted);
        }
    }

    /** The row of the run with its checksum. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Row(String name, String status, String createdAt, String updatedAt, String view, long checksum) {}

    /** The row of reported usage without position and name. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Used(long atMs, String workspace, long cost, long estimated, long tokens, int unknownSteps) {
        static Used of(ReportedUsage used, String workspace) {
            return new Used(
                    used.at().toEpochMilli(),
                    workspace,
                    used.costNanoUsd(),
                    used.estimatedNanoUsd(),
                    used.tokens(),
                    used.unknownSteps());
        }
    }

    /** The row of a snapshot with its checksum. */
    public record Snapshot(String runId, long sequence, String state, long checksum) {
        /** Returns the row of this state. */
        public static Snapshot of(String runId, long sequence, String state) {
            return new Snapshot(runId, sequence, state, RowChecksum.of(runId, sequence, state));
        }
    }

    /** Encodes an append. */
    public static EncodedAppend of(AppendEvents append) {
        List<StoredEvent> events = append.events();
        long last = last(append.expectedSequence(), events);
        return new EncodedAppend(
                append.runId(),
                append.expectedSequence(),
                append.epoch(),
                events.stream().map(Event::of).toList(),
                row(append, last),
                append.snapshot().map(state -> Snapshot.of(append.runId(), last, state)),
                append.idempotencyKey(),
                append.used().map(used -> Used.of(used, append.row().workspace())));
    }

    private static long last(long expectedSequence, List<?> events) {
        return expectedSequence + events.size();
    }

    /** Returns the run's last sequence after the append. */
    public long last() {
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
