package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.view.Checkpoint;
import dev.loopkeeper.view.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The readable projection of a run: the run object, with format version, manifest and items. It is never loaded. */
public final class CheckpointJson {
    /** The version of this projection, not of the snapshot that loads a run. A newer file is not overwritten. */
    private static final int FORMAT_VERSION = 1;

    private CheckpointJson() {}

    /** Creates the checkpoint of a state at this time. */
    public static ObjectNode of(RunState state, Instant now) {
        return ViewJson.write(view(state, now));
    }

    private static Checkpoint view(RunState state, Instant now) {
        List<JsonNode> history = new ArrayList<>();
        state.ledger().rolledBack().forEach(iteration -> history.add(Json.MAPPER.valueToTree(iteration)));
        return new Checkpoint(
                FORMAT_VERSION, RunView.of(state, now), state.plan().document(), items(state), List.copyOf(history));
    }

    /** Whether a file with this content may be replaced: it is complete, and its format is not newer. */
    public static boolean replaceable(String content) {
        try {
            JsonNode found = Json.MAPPER.readTree(content);
            return found instanceof ObjectNode && found.path("formatVersion").asInt() <= FORMAT_VERSION;
        } catch (JsonProcessingException damaged) {
            return false;
        }
    }

    private static List<Item> items(RunState state) {
        Map<String, EachWork> phases = new LinkedHashMap<>(state.cursor().pastItems());
        if (state.cursor().work() instanceof EachWork each) {
            phases.put(state.phase().orElseThrow().name(), each);
        }
        List<Item> items = new ArrayList<>();
        phases.forEach((phase, each) -> each.items()
                .values()
                .forEach(item -> items.add(new Item(item.id(), phase, item.status(), item.attempts()))));
        return items;
    }
}
