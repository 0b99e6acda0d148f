package dev.loopkeeper.step;

/** Bounds free text for an environment variable. Linux refuses values beyond 128 KiB, and a NUL would end the value. */
public final class EnvironmentText {
    /** In UTF-8, without the mark; reserves space for the variable's name. */
    static final int MOST_BYTES = 120_000;

    static final String CUT = "\n[loopkeeper: cut here; a prompt gets all of it]";

    private EnvironmentText() {}

    /** Returns the text if it fits, else its beginning and a mark; removes NUL characters. */
    public static String of(String text) {
        String clean = text.replace("\0", "");
        String kept = BoundedText.fitting(clean, MOST_BYTES);
        return kept.equals(clean) ? clean : kept + CUT;
    }
}
