package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.loopkeeper.run.Plan;
import dev.loopkeeper.run.RunState;
import java.io.IOException;
import java.util.List;

/**
 * A run's whole state as JSON, from which it is loaded without its older events:
 * {@code {"formatVersion":2,"state":{...}}}. The plan is kept as the manifest's document and read again.
 */
public final class StateJson {
    private static final FormatSteps FORMAT = new FormatSteps("a snapshot", 1, List.of(StateJson::unknownIsNull));

    private static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .addModule(new SimpleModule()
                    .addSerializer(Plan.class, new PlanWriter())
                    .addDeserializer(Plan.class, new PlanReader()))
            .build();

    private StateJson() {}

    /** The state as text. */
    public static String write(RunState state) {
        ObjectNode snapshot = MAPPER.createObjectNode().put("formatVersion", FORMAT.current());
        snapshot.set("state", MAPPER.valueToTree(state));
        return snapshot.toString();
    }

    /** Reads a state back. Fails with {@link CheckpointException} when it is newer than known, or unreadable. */
    public static RunState read(String text) {
        return read(text, FORMAT);
    }

    static RunState read(String text, FormatSteps format) {
        try {
            JsonNode snapshot = format.upgrade(MAPPER.readTree(text));
            return MAPPER.treeToValue(snapshot.get("state"), RunState.class);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException("an unreadable snapshot: " + unreadable.getOriginalMessage());
        }
    }

    /** In format 1 a sum of which nobody had told anything was 0. */
    private static ObjectNode unknownIsNull(ObjectNode snapshot) {
        JsonNode state = snapshot.path("state");
        FormerSums.unknownIsNull(state.at("/ledger/spent"));
        FormerSums.unknownIsNull(state.at("/condition/termination/usage"));
        FormerSums.unknownIsNull(state.at("/condition/wish/rest/termination/usage"));
        state.path("executions").forEach(execution -> FormerSums.unknownIsNull(execution.at("/termination/usage")));
        return snapshot;
    }

    private static final class PlanWriter extends StdSerializer<Plan> {
        PlanWriter() {
            super(Plan.class);
        }

        @Override
        public void serialize(Plan plan, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeStartObject();
            out.writeStringField("workspace", plan.workspace());
            out.writeStringField("baseDir", plan.baseDir());
            out.writeFieldName("document");
            out.writeTree(plan.document());
            out.writeEndObject();
        }
    }

    private static final class PlanReader extends StdDeserializer<Plan> {
        PlanReader() {
            super(Plan.class);
        }

        @Override
        public Plan deserialize(JsonParser in, DeserializationContext context) throws IOException {
            JsonNode plan = context.readTree(in);
            JsonNode document = plan.path("document");
            return new Plan(
                    document,
                    RunHistory.manifestOf(document),
                    plan.path("workspace").asText(),
                    plan.path("baseDir").asText());
        }
    }
}
