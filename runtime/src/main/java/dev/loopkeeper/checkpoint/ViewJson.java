package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.ActiveTime;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.RunOutline;
import dev.loopkeeper.view.Runs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The records of {@code view} as JSON, and back. */
public final class ViewJson {
    private static final JsonMapper READER = lenient();

    private ViewJson() {}

    /** Older and newer versions tell less or more: lists that are missing are empty. */
    private static JsonMapper lenient() {
        JsonMapper mapper = Json.MAPPER.rebuild().build();
        mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
        return mapper;
    }

    /** The JSON of one of the records of {@code view}; what is absent is null. */
    public static ObjectNode write(Record view) {
        return Json.MAPPER.valueToTree(view);
    }

    /** A recorded run object as it is shown now. */
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

    /** Reads a run object, as {@link #read} does. */
    public static Run run(JsonNode json) {
        return read(json, Run.class);
    }

    /** The run of an entry in a list; empty where its record is damaged, or more than this version knows. */
    public static Optional<Run> intact(JsonNode entry) {
        try {
            return read(entry, Runs.Entry.class).run();
        } catch (CheckpointException unknown) {
            return Optional.empty();
        }
    }

    /** The outline of a run object, for a hundredth of what reading it whole costs; empty where {@link #intact} would be. */
    public static Optional<RunOutline> outline(JsonNode run) {
        Optional<RunStatus> status = Stream.of(RunStatus.values())
                .filter(known -> run.path("sequence").isIntegralNumber()
                        && known.wire().equals(run.path("status").asText()))
                .findFirst();
        JsonNode resumeAt = run.path("pause").path("resumeAt");
        boolean held = status.filter(RunStatus.PAUSED::equals).isPresent() && !resumeAt.isTextual();
        return status.map(known -> new RunOutline(
                run.path("runId").asText(),
                known,
                run.path("sequence").asLong(),
                known.isEnded() || held,
                Optional.ofNullable(run.path("workspace").textValue())));
    }

    /**
     * Reads a record of {@code view}. Unknown fields are ignored, missing ones are absent or empty. Fails with
     * {@link CheckpointException} on what is no such record, and on values that only a newer version knows.
     */
    public static <V extends Record> V read(JsonNode json, Class<V> kind) {
        try {
            return READER.treeToValue(json, kind);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException(
                    "no " + kind.getSimpleName() + " as this version knows it: " + unreadable.getOriginalMessage());
        }
    }
}
