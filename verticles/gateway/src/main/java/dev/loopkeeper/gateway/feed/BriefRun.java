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
 * A run object among those of a snapshot. What an agent said may make it a megabyte, and there may be hundreds: a large one
 * is without its payloads, and its texts and lists are cut.
 */
final class BriefRun {
    private static final int LARGE = 64 << 10;
    private static final int LONGEST_TEXT = 4 << 10;
    private static final int LONGEST_LIST = 100;
    /** What an agent made for those who started the run, in whatever shape. */
    private static final Set<String> PAYLOADS = Set.of("deliverable", "noProgressSnapshot");

    private BriefRun() {}

    /** The object itself where it is not large, else a copy. */
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
