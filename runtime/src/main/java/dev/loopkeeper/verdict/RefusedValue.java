package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;

/** A value that a signal should not have, as a person may see it: short, and harmless to a terminal. */
public final class RefusedValue {
    /** Characters of the text, its quotes and what stands for the rest included. */
    public static final int LONGEST = 80;

    private RefusedValue() {}

    /** Its JSON with everything that does not print escaped, e.g. {@code "maybe\u001b[31m"}. */
    public static String of(JsonNode value) {
        String json = value.toString();
        StringBuilder text = new StringBuilder();
        for (int index = 0; index < json.length(); ) {
            int letter = json.codePointAt(index);
            String shown = shown(letter);
            if (text.length() + shown.length() > LONGEST) {
                return text.substring(0, Math.min(text.length(), endOf(text))) + "…";
            }
            text.append(shown);
            index += Character.charCount(letter);
        }
        return text.toString();
    }

    /** Where the text is cut to leave room for the dots, not within a letter. */
    private static int endOf(StringBuilder text) {
        int end = Math.min(text.length(), LONGEST - 1);
        return end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }

    private static String shown(int letter) {
        return switch (Character.getType(letter)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> String.format("\\u%04x", letter);
            default -> Character.toString(letter);
        };
    }
}
