package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts about a document, from lines such as {@code paused: {pause/message}}. A line whose values are all absent is
 * left out, and so is a part in brackets; a line that ends with {@code @runs} is repeated for each element of that list.
 */
final class ToolText {
    private static final Pattern VALUE = Pattern.compile("\\{([\\w/]+)}");
    private static final Pattern PART = Pattern.compile("\\[([^\\]]+)]");
    private static final Pattern LISTED = Pattern.compile("(.*) @(\\w+)");

    private ToolText() {}

    static String of(JsonNode lines, JsonNode document) {
        List<String> text = new ArrayList<>();
        for (JsonNode line : lines) {
            Matcher listed = LISTED.matcher(line.asText());
            if (listed.matches()) {
                document.path(listed.group(2)).forEach(element -> add(text, listed.group(1), element));
            } else {
                add(text, line.asText(), document);
            }
        }
        return String.join("\n", text);
    }

    private static void add(List<String> text, String line, JsonNode document) {
        String parts = PART.matcher(line)
                .replaceAll(part ->
                        Matcher.quoteReplacement(filled(part.group(1), document).isEmpty() ? "" : part.group(1)));
        String filled = filled(parts, document);
        if (!filled.isEmpty()) {
            text.add(filled);
        }
    }

    /** Returns the line with its values; empty if all of them are absent. */
    private static String filled(String line, JsonNode document) {
        boolean[] any = new boolean[1];
        String filled = VALUE.matcher(line).replaceAll(name -> {
            String value = shown(document.at("/" + name.group(1)));
            any[0] |= !value.isEmpty();
            return Matcher.quoteReplacement(value);
        });
        return any[0] ? filled : "";
    }

    private static String shown(JsonNode value) {
        if (value.isArray()) {
            List<String> words = new ArrayList<>();
            value.forEach(word -> words.add(word.isValueNode() ? word.asText() : word.toString()));
            return String.join("; ", words);
        }
        return value.isNull() ? "" : value.isValueNode() || value.isMissingNode() ? value.asText() : value.toString();
    }
}
