package dev.loopkeeper.step;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Normalises a message: removes escape sequences and terminal frames, unifies quotation marks, and unescapes nested
 * JSON strings. Wrapped and plain messages read the same.
 */
final class ErrorText {
    /** Longer texts are read at both ends only, half of this each; this bounds the work of every rule. */
    static final int LONGEST = 8_192;

    private static final Pattern BLANKS = Pattern.compile("\\p{javaWhitespace}+");
    private static final Pattern ESCAPED = Pattern.compile("\\\\++(u[0-9a-fA-F]{4}|[\"'/nrtu]|)");

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
        return BLANKS.matcher(plain).replaceAll(" ").stripLeading();
    }

    private static String opened(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        ESCAPED.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(meant(found.group(1))))
                .chars()
                .forEach(letter -> plain.append(usual((char) letter)));
        return plain.toString();
    }

    /** What backslashes before this mean; a path's backslash becomes a slash. */
    private static String meant(String escaped) {
        return switch (escaped) {
            case "" -> "/";
            case "n", "r" -> "\n";
            case "t" -> " ";
            case "\"", "'", "/", "u" -> escaped;
            default -> Character.toString(Integer.parseInt(escaped.substring(1), 16));
        };
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
