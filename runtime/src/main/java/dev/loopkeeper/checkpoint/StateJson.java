package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunState;
import java.util.List;

/**
 * Writes and reads a run's complete state as JSON, so that a load needs no older events: {@code
 * {"formatVersion":1,"state":{...}}}. It contains the resolved manifest beside its document.
 */
public final class StateJson {
    private static final FormatSteps FORMAT = new FormatSteps("a snapshot", List.of());

    private StateJson() {}

    /** Writes the state as text. */
    public static String write(RunState state) {
        ObjectNode snapshot = Json.MAPPER.createObjectNode().put("formatVersion", FORMAT.current());
        snapshot.set("state", Json.MAPPER.valueToTree(state));
        return snapshot.toString();
    }

    /**
     * Reads a state.
     *
     * @throws CheckpointException when it is unreadable or has a newer format
     */
    public static RunState read(String text) {
        return read(text, FORMAT);
    }

    static RunState read(String text, FormatSteps format) {
        try {
            JsonNode snapshot = format.upgrade(Json.MAPPER.readTree(text));
            return Json.MAPPER.treeToValue(snapshot.get("state"), RunState.class);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException("an unreadable snapshot: " + unreadable.getOriginalMessage());
        }
    }
}
