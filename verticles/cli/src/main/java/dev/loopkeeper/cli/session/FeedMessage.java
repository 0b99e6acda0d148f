package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.view.Runs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One message of the feed: the snapshot at its beginning, or the envelope of an event.
 *
 * @param type {@code snapshot}, or that of the event, e.g. {@code step.started}
 * @param cursor from which the feed can be taken up again after this message
 * @param runId of the event's run; null in a snapshot
 * @param sequence of the event within its run, from 1; 0 in a snapshot
 * @param data of the event; null in a snapshot
 * @param runs of a snapshot; empty in an event
 */
public record FeedMessage(
        String type,
        Optional<String> cursor,
        String runId,
        long sequence,
        Optional<Instant> at,
        JsonNode data,
        List<Runs.Entry> runs) {
    boolean isSnapshot() {
        return type.equals("snapshot");
    }

    /** Whether it is an event of this run. */
    boolean isOf(String id) {
        return id.equals(runId);
    }

    /** Whether it may change where its run stands. */
    boolean isAboutTheRun() {
        return type.startsWith("run.");
    }

    /** The event; empty for a snapshot, and for what only another version knows. */
    public Optional<RunEvent> event() {
        try {
            return Optional.ofNullable(data).map(given -> EventJson.read(type, given));
        } catch (CheckpointException unknown) {
            return Optional.empty();
        }
    }
}
