package dev.loopkeeper.gateway.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.OneLine;
import java.util.Set;

/**
 * Shortens large run objects in snapshots: a run with agent output may take a megabyte, and a snapshot has hundreds.
 * Payloads are removed, texts and lists cut.
 */
final class BriefRun {
    private static final int LARGE = 64 << 10;
    private static final int LONGEST_TEXT = 4 << 10;
    private static final int LONGEST_LIST = 100;
    /** Results that an agent produced for its user, of any shape. */
    private static final Set<String> PAYLOADS = Set.of("deliverable", "noProgressSnapshot");

    private BriefRun() {}

    /** Returns the object itself unless it is large. */
    static JsonNode of(JsonNode run) {
        return Json.isLarge(run, LARGE) ? brief(run) : run;
    }

    private static JsonNode brief(JsonNode value) {
        if (value.isTextual()) {
            String text = value.textValue();
            return text.length() > LONGEST_TEXT ? TextNode.valueOf(OneLine.of(text, LONGEST_TEXT)) : value;
        }
        if (value.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            value.valueStream().limit(LONGEST_LIST).forEach(element -> list.add(brief(element)));
            return list;
        }
        if (!value.isObject()) {
            return value;
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        value.properties().forEach(field -> {
            boolean left = PAYLOADS.contains(field.getKey()) && Json.isLarge(field.getValue(), LONGEST_TEXT);
            object.set(field.getKey(), left ? NullNode.getInstance() : brief(field.getValue()));
        });
        return object;
    }
}
