package dev.loopkeeper.step;

import java.util.stream.Collectors;

/** Texts of agents and programs as later launches get them: at most 4 KiB of UTF-8, with a mark where something is cut. */
public final class BoundedText {
    /** In UTF-8, with the mark. */
    public static final int MOST_BYTES = 4096;

    /** What a mark takes. */
    static final int MARK_BYTES = 40;

    static final String REST_CUT = "\n[loopkeeper: the rest is cut]";
    static final String BEGINNING_CUT = "[loopkeeper: the beginning is cut]\n";

    private BoundedText() {}

    /** The text, or its beginning and a mark. */
    public static String beginning(String text) {
        return beginning(text, MOST_BYTES);
    }

    /** The text, or its end behind a mark. */
    public static String end(String text) {
        return end(text, MOST_BYTES);
    }

    /** Its lines as a person reads them: without escape sequences and control characters. */
    public static String readable(String text) {
        return text.lines()
                .map(OneLine::readable)
                .collect(Collectors.joining("\n"))
                .strip();
    }

    /** The same for a text that may take so many bytes. */
    public static String beginning(String text, int most) {
        if (bytes(text) <= most) {
            return text;
        }
        int room = Math.max(0, most - REST_CUT.length());
        int end = 0;
        for (int used = 0; end < text.length(); ) {
            int letter = text.codePointAt(end);
            used += bytes(letter);
            if (used > room) {
                break;
            }
            end += Character.charCount(letter);
        }
        return text.substring(0, end) + REST_CUT;
    }

    /** The same for a text that may take so many bytes. */
    public static String end(String text, int most) {
        if (bytes(text) <= most) {
            return text;
        }
        int room = Math.max(0, most - BEGINNING_CUT.length());
        int start = text.length();
        for (int used = 0; start > 0; ) {
            int letter = text.codePointBefore(start);
            used += bytes(letter);
            if (used > room) {
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
