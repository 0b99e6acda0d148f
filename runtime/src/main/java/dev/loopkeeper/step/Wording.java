package dev.loopkeeper.step;

import com.fasterxml.jackson.databind.JsonNode;

/** Names values of a document in messages. */
public final class Wording {
    private static final int LONGEST = 60;

    private Wording() {}

    /** The kind of a value, e.g. {@code text} or {@code a list}. */
    public static String kindOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "text";
            case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a number";
            case BOOLEAN -> "true or false";
            case ARRAY -> "a list";
            case OBJECT, POJO -> "a map";
            case NULL, MISSING -> "nothing";
            case BINARY -> "binary data";
        };
    }

    /** The text between quotes, without control characters, cut after 60 characters. */
    public static String quoted(String text) {
        String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        return '"' + shown.replaceAll("\\p{Cntrl}", "?") + '"';
    }
}
