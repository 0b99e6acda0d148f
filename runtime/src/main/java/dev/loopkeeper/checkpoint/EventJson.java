package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;
import java.util.List;

/** Writes and reads the data of events. */
public final class EventJson {
    private static final FormatSteps FORMAT = new FormatSteps("an event", List.of());

    private EventJson() {}

    /** The event's data with their {@code formatVersion}. */
    public static JsonNode write(RunEvent event) {
        ObjectNode data = Json.MAPPER.valueToTree(event);
        return data.put("formatVersion", FORMAT.current());
    }

    /**
     * Reads an event of this or an older format.
     *
     * @throws CheckpointException for an unknown type or unreadable data
     */
    public static RunEvent read(String type, JsonNode data) {
        return read(type, data, FORMAT);
    }

    static RunEvent read(String type, JsonNode data, FormatSteps format) {
        Class<? extends RunEvent> record = EventTypes.record(type)
                .orElseThrow(
                        () -> new CheckpointException("unknown event type " + type + ": written by a newer version?"));
        try {
            return Json.MAPPER.treeToValue(format.upgrade(data), record);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException(
                    "unreadable data of an event " + type + ": " + unreadable.getOriginalMessage());
        }
    }
}
