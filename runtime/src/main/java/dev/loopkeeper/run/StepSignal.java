package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.OneLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * {@code step.signal}: a step's signal file contains this valid object. One above 64 KiB is without its long fields, which
 * the file and the result of the step have.
 */
@JsonTypeName("step.signal")
public record StepSignal(String stepId, JsonNode signal) implements RunEvent {
    /** Longest signal in a log line; a deliverable can have a megabyte. */
    private static final int LOGGED = 1_000;

    private static final int MOST_BYTES = 64 << 10;
    private static final int LONG_FIELD = 8 << 10;

    /** Leaves out what is too long for an event. */
    public static StepSignal of(String stepId, JsonNode signal) {
        if (bytes(signal) <= MOST_BYTES) {
            return new StepSignal(stepId, signal);
        }
        ObjectNode cut = Json.MAPPER.createObjectNode();
        int left = MOST_BYTES - 2;
        for (Map.Entry<String, JsonNode> field : signal.properties()) {
            if (!Json.isLarge(field.getValue(), LONG_FIELD)) {
                left -= bytes(Json.MAPPER.createObjectNode().set(field.getKey(), field.getValue()));
                if (left < 0) {
                    break;
                }
                cut.set(field.getKey(), field.getValue());
            }
        }
        return new StepSignal(stepId, cut);
    }

    private static int bytes(JsonNode value) {
        return value.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        return state.changingStep(stepId, step -> step.withSignalSeen(Optional.of(signal)));
    }

    @Override
    public String text() {
        return "step " + stepId + " signals " + OneLine.of(signal.toString(), LOGGED);
    }
}
