package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.json.Json;
import java.nio.charset.StandardCharsets;

/** Bounds documents for models: shortens texts and lists, and says in {@link #MARK} how to read the rest. */
final class ResultSize {
    /** The member that says how to read the rest. */
    static final String MARK = "truncated";

    private static final String CUT = "… [cut]";
    private static final int LONGEST_TEXT = 8_000;
    private static final int LEAST_TEXT = 125;
    private static final int MOST_ELEMENTS = 400;

    private ResultSize() {}

    /**
     * Returns a document of at most {@link McpLimits#RESULT_BYTES}.
     *
     * @param readOn how to read the rest
     * @param page the list that is read page by page, where there is one: its name, the member with the position of
     *     the next page, and the position in each element
     */
    static ObjectNode fitted(ObjectNode document, String readOn, JsonNode page) {
        ObjectNode fitted = document;
        int texts = LONGEST_TEXT;
        for (int elements = MOST_ELEMENTS; bytes(fitted) > McpLimits.RESULT_BYTES; elements /= 2) {
            fitted = elements == 0 ? Json.MAPPER.createObjectNode() : (ObjectNode) shrunk(document, texts, elements);
            fitted.put(MARK, "cut to 20 KB; " + readOn);
            JsonNode list = document.path(page.path("lines").asText());
            JsonNode next = list.path(fitted.path(page.path("lines").asText()).size());
            if (elements > 0 && next.has(page.path("at").asText())) {
                fitted.set(page.path("next").asText(), next.get(page.path("at").asText()));
            }
            texts = Math.max(LEAST_TEXT, texts / 2);
        }
        return fitted;
    }

    private static int bytes(JsonNode document) {
        return document.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns a copy with shorter texts and lists. */
    private static JsonNode shrunk(JsonNode node, int texts, int elements) {
        if (node.isTextual()) {
            return TextNode.valueOf(cut(node.asText(), texts));
        }
        if (node.isArray()) {
            ArrayNode kept = Json.MAPPER.createArrayNode();
            for (int index = 0; index < Math.min(elements, node.size()); index++) {
                kept.add(shrunk(node.get(index), texts, elements));
            }
            return kept;
        }
        if (node.isObject()) {
            ObjectNode kept = Json.MAPPER.createObjectNode();
            node.properties().forEach(member -> kept.set(member.getKey(), shrunk(member.getValue(), texts, elements)));
            return kept;
        }
        return node;
    }

    /** Returns the beginning of a text, at most so many bytes of UTF-8, with a mark where it was cut. */
    static String cut(String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= most) {
            return text;
        }
        int end = most - CUT.getBytes(StandardCharsets.UTF_8).length;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT;
    }
}
