package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Bounds documents for models: cuts long texts, then lists, and says in {@link #MARK} how to read the rest. */
final class ResultSize {
    /** The member that says how to read the rest. */
    static final String MARK = "truncated";

    private static final String CUT = "… [cut]";
    private static final int[] TEXTS = {8_000, 2_000, 500};

    private ResultSize() {}

    /**
     * Returns a document of at most {@link McpLimits#RESULT_BYTES}.
     *
     * @param readOn how to read the rest
     * @param page the list that is read page by page, where there is one: its name, the member with the position of
     *     the next page, and the position in each element
     */
    static ObjectNode fitted(ObjectNode document, String readOn, JsonNode page) {
        if (bytes(document) <= McpLimits.RESULT_BYTES) {
            return document;
        }
        ObjectNode fitted = document.deepCopy().put(MARK, "cut to 20 KB; " + readOn);
        for (int index = 0; index < TEXTS.length && isTooLong(fitted); index++) {
            cutTexts(fitted, TEXTS[index]);
        }
        while (isTooLong(fitted)) {
            Optional<ArrayNode> list = largest(fitted);
            if (list.isEmpty()) {
                fitted.remove(longestMember(fitted));
            } else {
                halve(fitted, list.get(), page);
            }
        }
        return fitted;
    }

    private static void halve(ObjectNode document, ArrayNode list, JsonNode page) {
        int kept = list.size() / 2;
        if (list.equals(document.get(page.path("lines").asText()))) {
            document.set(
                    page.path("next").asText(),
                    list.get(kept).path(page.path("at").asText()));
        }
        while (list.size() > kept) {
            list.remove(list.size() - 1);
        }
    }

    private static String longestMember(ObjectNode document) {
        String longest = MARK;
        for (var member : document.properties()) {
            boolean longer = longest.equals(MARK) || bytes(member.getValue()) > bytes(document.get(longest));
            longest = longer && !member.getKey().equals(MARK) ? member.getKey() : longest;
        }
        return longest;
    }

    private static boolean isTooLong(JsonNode document) {
        return bytes(document) > McpLimits.RESULT_BYTES;
    }

    private static int bytes(JsonNode document) {
        return document.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private static void cutTexts(JsonNode node, int most) {
        if (node instanceof ObjectNode object) {
            for (var member : List.copyOf(object.properties())) {
                if (member.getValue().isTextual() && !member.getKey().equals(MARK)) {
                    object.put(member.getKey(), cut(member.getValue().asText(), most));
                }
                cutTexts(member.getValue(), most);
            }
        } else if (node instanceof ArrayNode array) {
            for (int index = 0; index < array.size(); index++) {
                if (array.get(index).isTextual()) {
                    array.set(index, TextNode.valueOf(cut(array.get(index).asText(), most)));
                }
                cutTexts(array.get(index), most);
            }
        }
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

    /** Returns the list with elements that takes most bytes. */
    private static Optional<ArrayNode> largest(JsonNode node) {
        Optional<ArrayNode> largest =
                node instanceof ArrayNode array && !array.isEmpty() ? Optional.of(array) : Optional.empty();
        if (largest.isPresent()) {
            return largest;
        }
        int most = 0;
        for (JsonNode child : node) {
            Optional<ArrayNode> inside = largest(child);
            if (inside.isPresent() && bytes(inside.get()) > most) {
                largest = inside;
                most = bytes(inside.get());
            }
        }
        return largest;
    }
}
