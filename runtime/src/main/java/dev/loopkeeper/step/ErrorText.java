package dev.loopkeeper.step;

/**
 * Normalises a message: removes escape sequences and terminal frames, unifies quotation marks, and unescapes nested
 * JSON strings. Wrapped and plain messages read the same.
 */
final class ErrorText {
    /** Longer texts are read at both ends only, half of this each; this bounds the work of every rule. */
    static final int LONGEST = 8_192;

    private ErrorText() {}

    static String plain(String message) {
        return opened(EscapeSequences.removed(bounded(message)));
    }

    static String bounded(String text) {
        int half = LONGEST / 2;
        return text.length() <= LONGEST
                ? text
                : text.substring(0, half) + "\n" + text.substring(text.length() - half + 1);
    }

    /** Joins the lines with single blanks, since terminals wrap messages. */
    static String unwrapped(String plain) {
        StringBuilder text = new StringBuilder(plain.length());
        for (int i = 0; i < plain.length(); i++) {
            char found = plain.charAt(i);
            boolean blank = Character.isWhitespace(found);
            if (!blank || (text.length() > 0 && text.charAt(text.length() - 1) != ' ')) {
                text.append(blank ? ' ' : found);
            }
        }
        return text.toString();
    }

    private static String opened(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            char found = text.charAt(at);
            int end = at + 1;
            if (found == '\\') {
                while (end < text.length() && text.charAt(end) == '\\') {
                    end++;
                }
                end = escaped(text, end, plain);
            } else {
                plain.append(usual(found));
            }
            at = end;
        }
        return plain.toString();
    }

    /** Appends the character after backslashes; a path's backslash becomes a slash. */
    private static int escaped(String text, int at, StringBuilder plain) {
        char kind = at < text.length() ? text.charAt(at) : ' ';
        switch (kind) {
            case '"', '\'', '/' -> plain.append(kind);
            case 'n', 'r' -> plain.append('\n');
            case 't' -> plain.append(' ');
            case 'u' -> {
                int code = code(text, at + 1);
                plain.append(code < 0 ? 'u' : usual((char) code));
                return code < 0 ? at + 1 : at + 5;
            }
            default -> {
                plain.append('/');
                return at;
            }
        }
        return at + 1;
    }

    private static int code(String text, int at) {
        int code = at + 4 <= text.length() ? 0 : -1;
        for (int i = at; i < at + 4 && code >= 0; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            code = digit < 0 ? -1 : code * 16 + digit;
        }
        return code;
    }

    private static char usual(char found) {
        return switch (found) {
            case '\u2018', '\u2019', '\u02BC', '\u00B4', '`' -> '\'';
            case '\u201C', '\u201D', '\u00AB', '\u00BB' -> '"';
            case '\u00A0', '\u202F', '\u2007', '\u2009', '\u200B', '\uFEFF' -> ' ';
            case '\u2219', '\u2022' -> '\u00B7';
            default -> found >= '\u2500' && found <= '\u259F' ? ' ' : found;
        };
    }
}
