package dev.loopkeeper.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.view.Runs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One message of the feed: the first snapshot, or the envelope of an event.
 *
 * @param type {@code snapshot}, or the type of the event, e.g. {@code step.started}
 * @param cursor the position after this message, from which the feed can be resumed
 * @param runId run of the event; null in a snapshot
 * @param sequence sequence of the event within its run, from 1; 0 in a snapshot
 * @param data data of the event; null in a snapshot
 * @param runs runs of a snapshot; empty in an event
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

    /** Returns whether it is an event of this run. */
    boolean isOf(String id) {
        return id.equals(runId);
    }

    /** Returns whether the event may change the status of its run. */
    boolean isAboutTheRun() {
        return type.startsWith("run.");
    }

    /** Returns the event; empty for a snapshot and for events of other versions. */
    public Optional<RunEvent> event() {
        try {
            return Optional.ofNullable(data).map(given -> EventJson.read(type, given));
        } catch (CheckpointException unknown) {
            return Optional.empty();
        }
    }
}
