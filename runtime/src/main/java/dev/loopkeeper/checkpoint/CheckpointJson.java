package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.run.EachWork;
import dev.loopkeeper.run.ItemWork;
import dev.loopkeeper.run.RunState;
import java.util.LinkedHashMap;
import java.util.Map;

/** The readable projection of a run: the run object, with format version, manifest and items. Never read back. */
public final class CheckpointJson {
    /** Of this projection, not of what a run is loaded from. A file of a higher one is left alone. */
    private static final int FORMAT_VERSION = 1;

    private CheckpointJson() {}

    /** This state as a checkpoint. */
    public static ObjectNode of(RunState state) {
        ObjectNode checkpoint = Json.MAPPER.createObjectNode();
        checkpoint.put("formatVersion", FORMAT_VERSION);
        checkpoint.setAll(RunView.of(state));
        checkpoint.set("manifest", state.plan().document());
        checkpoint.set("items", items(state));
        checkpoint.set(
                "iterationHistory", Json.MAPPER.valueToTree(state.ledger().rolledBack()));
        return checkpoint;
    }

    /** Whether a file with this content may be replaced: it is whole, and of no newer format than this version writes. */
    public static boolean replaceable(String content) {
        try {
            JsonNode found = Json.MAPPER.readTree(content);
            return found instanceof ObjectNode && found.path("formatVersion").asInt() <= FORMAT_VERSION;
        } catch (JsonProcessingException damaged) {
            return false;
        }
    }

    private static ArrayNode items(RunState state) {
        ArrayNode items = Json.MAPPER.createArrayNode();
        Map<String, EachWork> phases = new LinkedHashMap<>(state.cursor().pastItems());
        if (state.cursor().work() instanceof EachWork each) {
            phases.put(state.phase().orElseThrow().name(), each);
        }
        phases.forEach((phase, each) -> add(items, phase, each));
        return items;
    }

    private static void add(ArrayNode items, String phase, EachWork each) {
        for (ItemWork item : each.items().values()) {
            items.addObject()
                    .put("id", item.id())
                    .put("phase", phase)
                    .put("status", item.status().wire())
                    .put("attempts", item.attempts());
        }
    }
}
