package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;

/** The form of the data of events. */
public final class EventJson {
    private EventJson() {}

    /** The event's data, with their {@code formatVersion}. */
    public static JsonNode write(RunEvent event) {
        return EventFormat.stamped(CheckpointMapper.MAPPER.valueToTree(event));
    }

    /** Reads an event back, of this or an older format. Fails with {@link CheckpointException} on an unknown type or unreadable data. */
    public static RunEvent read(String type, JsonNode data) {
        EventFormat present = EventFormat.upgrade(type, data);
        Class<? extends RunEvent> record = EventTypes.record(present.type())
                .orElseThrow(
                        () -> new CheckpointException("unknown event type " + type + ": written by a newer version?"));
        try {
            return CheckpointMapper.MAPPER.treeToValue(present.data(), record);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException(
                    "unreadable data of an event " + type + ": " + unreadable.getOriginalMessage());
        }
    }
}
