package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.ActiveTime;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.RunOutline;
import dev.loopkeeper.view.Runs;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Writes and reads the records of {@code view} as JSON. */
public final class ViewJson {
    private ViewJson() {}

    /** The JSON of a record of {@code view}; an absent value is null. */
    public static ObjectNode write(Record view) {
        return Json.MAPPER.valueToTree(view);
    }

    /** A recorded run object with its active time up to now. */
    public static JsonNode shown(JsonNode recorded, Instant now) {
        if (!(recorded instanceof ObjectNode view) || !view.path("activeSince").isTextual()) {
            return recorded;
        }
        Instant since = Instant.parse(view.path("activeSince").textValue());
        ObjectNode shown = Json.MAPPER.createObjectNode();
        shown.setAll(view);
        shown.remove("activeSince");
        return shown.put("activeMs", new ActiveTime(view.path("activeMs").asLong(), Optional.of(since)).until(now));
    }

    /** Reads a run object like {@link #read}. */
    public static Run run(JsonNode json) {
        return read(json, Run.class);
    }

    /** The run of an entry in a list; empty when its record is damaged or newer than this version. */
    public static Optional<Run> intact(JsonNode entry) {
        try {
            return read(entry, Runs.Entry.class).run();
        } catch (CheckpointException unknown) {
            return Optional.empty();
        }
    }

    /** Reads the outline of a run object at a hundredth of the cost of {@link #run}; empty when {@link #intact} is. */
    public static Optional<RunOutline> outline(JsonNode run) {
        Optional<RunStatus> status = Stream.of(RunStatus.values())
                .filter(value -> run.path("sequence").isIntegralNumber()
                        && value.wire().equals(run.path("status").asText()))
                .findFirst();
        JsonNode resumeAt = run.path("pause").path("resumeAt");
        boolean held = status.filter(RunStatus.PAUSED::equals).isPresent() && !resumeAt.isTextual();
        return status.map(value -> new RunOutline(
                run.path("runId").asText(),
                value,
                run.path("sequence").asLong(),
                value.isEnded() || held,
                Optional.ofNullable(run.path("workspace").textValue())));
    }

    /**
     * Reads a record of {@code view}. Ignores unknown fields; missing ones become absent or empty.
     *
     * @throws CheckpointException for other JSON, and for values that only a newer version knows
     */
    public static <V extends Record> V read(JsonNode json, Class<V> kind) {
        try {
            return Json.MAPPER.treeToValue(json, kind);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException(
                    "not a " + kind.getSimpleName() + " of this version: " + unreadable.getOriginalMessage());
        }
    }
}
