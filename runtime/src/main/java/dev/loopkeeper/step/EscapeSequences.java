package dev.loopkeeper.step;

/**
 * Removes terminal control from a text: colours and cursor moves (CSI), titles and links (OSC), the other ECMA-48
 * strings with their content, and control characters except tab and line feed. A carriage return that overwrites a line
 * ends it. One pass; an unterminated sequence ends at the end of its line.
 */
public final class EscapeSequences {
    private static final char ESCAPE = '\u001B';
    private static final char BELL = '\u0007';
    private static final char CSI = '\u009B';
    private static final char STRING_END = '\u009C';
    private static final char DELETE = '\u007F';

    private EscapeSequences() {}

    /** Returns the text as a person reads it. */
    public static String removed(String text) {
        int first = 0;
        while (first < text.length() && !isControl(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length()).append(text, 0, first);
        int at = first;
        while (at < text.length()) {
            at = next(text, at, plain);
        }
        return plain.toString();
    }

    private static int next(String text, int at, StringBuilder plain) {
        char found = text.charAt(at);
        if (found == ESCAPE) {
            return at + 1 < text.length() ? sequence(text, at + 1) : at + 1;
        }
        if (found == CSI) {
            return control(text, at + 1);
        }
        if (startsString(found)) {
            return string(text, at + 1);
        }
        if (found == '\r') {
            boolean pair = at + 1 < text.length() && text.charAt(at + 1) == '\n';
            plain.append(pair ? "" : "\n");
        } else if (!isControl(found)) {
            plain.append(found);
        }
        return at + 1;
    }

    /** The end of the sequence that follows an escape character. */
    private static int sequence(String text, int at) {
        char kind = text.charAt(at);
        if (kind == '[') {
            return control(text, at + 1);
        }
        if (kind >= '@' && kind <= '_' && startsString((char) (kind + '@'))) {
            return string(text, at + 1);
        }
        int end = at;
        while (end < text.length() && text.charAt(end) >= ' ' && text.charAt(end) <= '/') {
            end++;
        }
        return end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '~' ? end + 1 : end;
    }

    /** The end of the parameters and of the letter after them. */
    private static int control(String text, int at) {
        int end = at;
        while (end < text.length() && text.charAt(end) >= ' ' && text.charAt(end) <= '?') {
            end++;
        }
        return end < text.length() && text.charAt(end) >= '@' && text.charAt(end) <= '~' ? end + 1 : end;
    }

    private static int string(String text, int at) {
        for (int end = at; end < text.length(); end++) {
            char found = text.charAt(end);
            if (found == '\n') {
                return end;
            }
            if (found == BELL || found == STRING_END) {
                return end + 1;
            }
            if (found == ESCAPE) {
                return end + 1 < text.length() && text.charAt(end + 1) == '\\' ? end + 2 : end;
            }
        }
        return text.length();
    }

    /** DCS, SOS, OSC, PM and APC in their single-character form. */
    private static boolean startsString(char found) {
        return found == '\u0090' || found == '\u0098' || found == '\u009D' || found == '\u009E' || found == '\u009F';
    }

    private static boolean isControl(char found) {
        return found < ' ' ? found != '\n' && found != '\t' : found >= DELETE && found <= '\u009F';
    }
}
