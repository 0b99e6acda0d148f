package dev.loopkeeper.step;

import java.util.regex.Pattern;

/**
 * Removes terminal control from a text: colours and cursor moves (CSI), titles and links (OSC), the other ECMA-48
 * strings with their content, and control characters except tab and line feed. A carriage return that overwrites a line
 * ends it. One pass; an unterminated sequence ends at the end of its line.
 */
public final class EscapeSequences {
    private static final String CURSOR = "(?:\u001B\\[|\u009B)[ -?]*+[@-~]?";
    /** A title, a link or another string, up to its end, to the end of its line or to the next sequence. */
    private static final String STRING =
            "(?:\u001B[PX\\]^_]|[\u0090\u0098\u009D-\u009F])[^\n\u0007\u001B\u009C]*+(?:[\u0007\u009C]|\u001B\\\\)?";

    private static final String OTHER = "\u001B[ -/]*+[0-~]?";
    private static final String SIGN = "\r\n?|[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]";
    private static final Pattern CONTROL = Pattern.compile(String.join("|", CURSOR, STRING, OTHER, SIGN));

    private EscapeSequences() {}

    /** Returns the text as a person reads it. */
    public static String removed(String text) {
        return CONTROL.matcher(text).replaceAll(found -> text.charAt(found.start()) == '\r' ? "\n" : "");
    }
}
