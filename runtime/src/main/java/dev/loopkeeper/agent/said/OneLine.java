package dev.loopkeeper.agent.said;

import dev.loopkeeper.step.EscapeSequences;

/** A text as one line that a terminal may show. */
final class OneLine {
    private OneLine() {}

    /** Without escape sequences, white space folded, cut with an ellipsis. */
    static String of(String text) {
        String bounded = text.length() > 8 * SaidLines.LONGEST ? text.substring(0, 8 * SaidLines.LONGEST) : text;
        String line = EscapeSequences.removed(bounded).replaceAll("\\s+", " ").strip();
        if (line.length() <= SaidLines.LONGEST) {
            return line;
        }
        int end = SaidLines.LONGEST - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "\u2026";
    }

    /** The first line that says anything; of a longer text it tells how many lines follow. */
    static String first(String text) {
        String[] lines = text.strip().split("\\R", 0);
        return lines.length <= 1 ? text.strip() : lines[0].strip() + " (+" + (lines.length - 1) + " lines)";
    }
}
