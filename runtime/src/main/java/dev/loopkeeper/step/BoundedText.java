package dev.loopkeeper.step;

import java.util.stream.Collectors;

/** Bounds texts of agents and programs for later launches to 4 KiB of UTF-8, and marks each cut. */
public final class BoundedText {
    /** In UTF-8, including the mark. */
    public static final int MOST_BYTES = 4096;

    /** Bytes that a mark takes. */
    static final int MARK_BYTES = 40;

    static final String REST_CUT = "\n[loopkeeper: the rest is cut]";
    static final String BEGINNING_CUT = "[loopkeeper: the beginning is cut]\n";

    private BoundedText() {}

    /** Returns the text, or its beginning and a mark. */
    public static String beginning(String text) {
        return beginning(text, MOST_BYTES);
    }

    /** Returns the text, or a mark and its end. */
    public static String end(String text) {
        return end(text, MOST_BYTES);
    }

    /** Returns the lines without escape sequences and control characters. */
    public static String readable(String text) {
        return text.lines()
                .map(OneLine::readable)
                .collect(Collectors.joining("\n"))
                .strip();
    }

    /** Like {@link #beginning(String)}, with another limit in bytes. */
    public static String beginning(String text, int most) {
        if (bytes(text) <= most) {
            return text;
        }
        return fitting(text, most - REST_CUT.length()) + REST_CUT;
    }

    /** The longest beginning with at most this number of bytes. */
    static String fitting(String text, int most) {
        int end = 0;
        for (int used = 0; end < text.length(); ) {
            int letter = text.codePointAt(end);
            used += bytes(letter);
            if (used > most) {
                break;
            }
            end += Character.charCount(letter);
        }
        return text.substring(0, end);
    }

    /** Like {@link #end(String)}, with another limit in bytes. */
    public static String end(String text, int most) {
        if (bytes(text) <= most) {
            return text;
        }
        int limit = Math.max(0, most - BEGINNING_CUT.length());
        int start = text.length();
        for (int used = 0; start > 0; ) {
            int letter = text.codePointBefore(start);
            used += bytes(letter);
            if (used > limit) {
                break;
            }
            start -= Character.charCount(letter);
        }
        return BEGINNING_CUT + text.substring(start);
    }

    /** Length in UTF-8. */
    public static int bytes(String text) {
        return text.codePoints().map(BoundedText::bytes).sum();
    }

    private static int bytes(int letter) {
        return letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
    }
}
