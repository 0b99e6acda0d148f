package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;

/** Shows an invalid value of a signal to people: short, and safe for a terminal. */
public final class RefusedValue {
    /** Characters of the text, including quotes and dots. */
    public static final int LONGEST = 80;

    private RefusedValue() {}

    /** The value as JSON with unprintable characters escaped, e.g. {@code "maybe\u001b[31m"}. */
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

    /** The cut, which leaves space for the dots and does not split a letter. */
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
