package dev.loopkeeper.cli.print;

import java.util.ArrayList;
import java.util.List;

/** Measures how many columns of a terminal a text takes, and cuts or wraps it to fit. */
final class Columns {
    private static final String CUT = "…";
    private static final int WRAP_INDENT = 2;
    /**
     * First and last code points of the ranges that take two columns: East Asian scripts and pictographs. They include
     * all that JLine paints two columns wide.
     */
    private static final int[][] WIDE = {
        {0x1100, 0x115f},
        {0x231a, 0x231b},
        {0x2329, 0x232a},
        {0x23e9, 0x23ec},
        {0x2614, 0x2615},
        {0x2648, 0x2653},
        {0x26a1, 0x26a1},
        {0x2705, 0x2705},
        {0x2728, 0x2728},
        {0x274c, 0x274c},
        {0x2753, 0x2757},
        {0x2795, 0x2797},
        {0x2b50, 0x2b55},
        {0x2e80, 0xa4cf},
        {0xa960, 0xa97c},
        {0xac00, 0xd7a3},
        {0xf900, 0xfaff},
        {0xfe10, 0xfe19},
        {0xfe30, 0xfe6f},
        {0xff00, 0xff60},
        {0xffe0, 0xffe6},
        {0x1f000, 0x1feee},
        {0x20000, 0x3fffd},
    };

    private Columns() {}

    static int of(String text) {
        return text.codePoints().map(Columns::of).sum();
    }

    /** Returns the beginning of the text, with an ellipsis if it was cut. */
    static String cut(String text, int most) {
        if (of(text) <= most) {
            return text;
        }
        return most < 1 ? "" : text.substring(0, fitting(text, most - 1)) + CUT;
    }

    /**
     * Wraps the text into lines of at most {@code most} columns, at spaces if possible. All lines after the first are
     * indented.
     */
    static List<String> wrapped(String text, int most) {
        int indent = (int) text.chars().takeWhile(letter -> letter == ' ').count() + WRAP_INDENT;
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (of(rest) > most) {
            int end = Math.max(fitting(rest, most), rest.offsetByCodePoints(0, 1));
            int space = rest.lastIndexOf(' ', end);
            int from = (int) rest.chars().takeWhile(letter -> letter == ' ').count();
            int at = space > from ? space : end;
            lines.add(rest.substring(0, at));
            String further = rest.substring(at).stripLeading();
            boolean indented = most > 2 * indent;
            rest = (indented ? " ".repeat(indent) : "") + further;
        }
        if (lines.isEmpty() || !rest.isBlank()) {
            lines.add(rest);
        }
        return lines;
    }

    /** Returns how many chars fit into {@code most} columns. */
    private static int fitting(String text, int most) {
        int left = most;
        int end = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            left -= of(character);
            if (left < 0) {
                break;
            }
            end += Character.charCount(character);
        }
        return end;
    }

    static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - of(text)));
    }

    private static int of(int character) {
        int type = Character.getType(character);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        for (int[] range : WIDE) {
            if (character >= range[0] && character <= range[1]) {
                return 2;
            }
        }
        return 1;
    }
}
