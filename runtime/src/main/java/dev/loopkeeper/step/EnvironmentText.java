package dev.loopkeeper.step;

import java.nio.charset.StandardCharsets;

/** Bounds free text for an environment variable. Linux refuses values beyond 128 KiB, and a NUL would end the value. */
public final class EnvironmentText {
    /** In UTF-8, without the mark; reserves space for the variable's name. */
    static final int MOST_BYTES = 120_000;

    static final String CUT = "\n[loopkeeper: cut here; a prompt gets all of it]";

    private EnvironmentText() {}

    /** Returns the text if it fits, else its beginning and a mark; removes NUL characters. */
    public static String of(String text) {
        String clean = text.replace("\0", "");
        int bytes = 0;
        int end = 0;
        while (end < clean.length()) {
            int point = clean.codePointAt(end);
            bytes += Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MOST_BYTES) {
                return clean.substring(0, end) + CUT;
            }
            end += Character.charCount(point);
        }
        return clean;
    }
}
