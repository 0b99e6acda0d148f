package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.run.RunState;
import java.util.List;

/**
 * A run's whole state as JSON, from which it is loaded without its older events:
 * {@code {"formatVersion":1,"state":{...}}}. The manifest is kept as it was meant, beside its document.
 */
public final class StateJson {
    private static final FormatSteps FORMAT = new FormatSteps("a snapshot", List.of());

    private StateJson() {}

    /** The state as text. */
    public static String write(RunState state) {
        ObjectNode snapshot = CheckpointMapper.MAPPER.createObjectNode().put("formatVersion", FORMAT.current());
        snapshot.set("state", CheckpointMapper.MAPPER.valueToTree(state));
        return snapshot.toString();
    }

    /** Reads a state back. Fails with {@link CheckpointException} when it is newer than known, or unreadable. */
    public static RunState read(String text) {
        return read(text, FORMAT);
    }

    static RunState read(String text, FormatSteps format) {
        try {
            JsonNode snapshot = format.upgrade(CheckpointMapper.MAPPER.readTree(text));
            return CheckpointMapper.MAPPER.treeToValue(snapshot.get("state"), RunState.class);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException("an unreadable snapshot: " + unreadable.getOriginalMessage());
        }
    }
}
