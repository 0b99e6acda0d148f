package dev.loopkeeper.step;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Formats texts of agents as one line for people. */
public final class OneLine {
    /** Longest summary or message, in characters. */
    public static final int SUMMARY = 240;

    /** Line breaks, cursor moves, and changes of the writing direction. */
    private static final Pattern GAP =
            Pattern.compile("[\\s\\p{Cc}\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+");

    private static final Pattern ACTING =
            Pattern.compile("[\\p{Cc}&&[^\\t]]|[\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");

    /**
     * Terminal escape sequences and invisible letters, which could hide text from a person. Joiners of letters and
     * signs stay.
     */
    private static final Pattern HIDDEN = Pattern.compile(
            "\\u001b\\[[0-?]{0,32}[ -/]{0,4}[@-~]|\\u001b\\][^\\u0007\\u001b]{0,1024}(?:\\u0007|\\u001b\\\\)"
                    + "|\\u001b[@-Z\\\\^_]|[\\u00ad\\u061c\\u180e\\u200b\\u2060-\\u2064\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb"
                    + "\\x{e0000}-\\x{e007f}]");

    /** Words of test runners, compilers and shells, but not counts of zero. */
    private static final Pattern FAILURE = Pattern.compile("(?i)(?<!\\b0 |\\bno )"
            + "(?:fail|error|exception|panic|fatal|assert|expected|not ok|not found|cannot|denied)(?!\\w*: 0\\b)");

    /** A passed test, whose name may mention an error. */
    private static final Pattern PASSED =
            Pattern.compile("(?i)^[-\\s]*(?:pass(?:ed)?\\b|ok\\b|[✓✔])|\\.\\. ok$|::.* PASSED\\b");

    private OneLine() {}

    /**
     * Returns the complete text on one line, with a space for each line break and control character, without escape
     * sequences.
     */
    public static String of(String text) {
        return replace(GAP, replace(HIDDEN, text, ""), " ").strip();
    }

    /** Returns a printed line with its indentation, without terminal control characters. */
    public static String readable(String line) {
        String shown = replace(HIDDEN, line.endsWith("\r") ? line.substring(0, line.length() - 1) : line, "");
        // A progress bar has overwritten the text before the last carriage return.
        return replace(ACTING, shown.substring(shown.lastIndexOf('\r') + 1), "");
    }

    /** Like {@link Matcher#replaceAll}, but tries the slow pattern only where it may match: logs have millions of lines. */
    private static String replace(Pattern pattern, String text, String replacement) {
        StringBuilder replaced = new StringBuilder(text.length());
        Matcher matcher = pattern.matcher(text);
        int copied = 0;
        int at = 0;
        while (at < text.length()) {
            if (!isPlain(pattern, text, at) && matcher.region(at, text.length()).lookingAt()) {
                replaced.append(text, copied, at).append(replacement);
                at = matcher.end();
                copied = at;
            } else {
                at++;
            }
        }
        return copied == 0 ? text : replaced.append(text, copied, at).toString();
    }

    /** Returns whether the pattern surely matches nothing here: before a letter, and before a space that stays. */
    private static boolean isPlain(Pattern pattern, String text, int at) {
        char letter = text.charAt(at);
        return letter == ' '
                ? pattern != GAP
                        || (at + 1 < text.length() && isPlain(HIDDEN, text, at + 1) && text.charAt(at + 1) != ' ')
                : (letter > ' ' && letter < '\u007f') || Character.isLetterOrDigit(letter);
    }

    /** Like {@link #of(String)}, cut to this number of characters; a cut ends in dots and never splits a letter. */
    public static String of(String text, int longest) {
        // Skips text far beyond the cut, however long the text is.
        return cut(of(text.length() > 8 * longest ? text.substring(0, 8 * longest) : text), longest);
    }

    /** The first line that names a failure. */
    public static Optional<String> failure(Stream<String> lines) {
        return lines.filter(line ->
                        FAILURE.matcher(line).find() && !PASSED.matcher(line).find())
                .findFirst();
    }

    /**
     * The output of a failed program as one line, from the first line that names a failure; only this one and the last
     * if the lines between do not fit or both are the same. Without such a line, the last lines that fit.
     */
    public static String end(String text, int longest) {
        List<String> lines =
                text.lines().map(OneLine::of).filter(line -> !line.isEmpty()).toList();
        if (lines.isEmpty()) {
            return "";
        }
        int last = lines.size() - 1;
        int first = failure(lines.stream()).map(lines::indexOf).orElseGet(() -> fitting(lines, longest));
        if (lines.get(first).equals(lines.get(last))) {
            first = last;
        }
        String end = String.join(" ", lines.subList(first, last + 1));
        if (end.length() <= longest || first == last) {
            return cut(end, longest);
        }
        String beside = " … " + cut(lines.get(last), longest / 2 - 1);
        return cut(lines.get(first), longest - beside.length()) + beside;
    }

    /** The first of the last lines that fit; the last line always does. */
    private static int fitting(List<String> lines, int longest) {
        int first = lines.size() - 1;
        int length = lines.get(first).length();
        while (first > 0 && length + lines.get(first - 1).length() + 1 <= longest) {
            length += lines.get(--first).length() + 1;
        }
        return first;
    }

    /** Lists as many names as fit, at least one, and the number of further names. */
    public static String names(List<String> names, int longest) {
        StringBuilder text = new StringBuilder();
        int named = 0;
        while (named < names.size()
                && (named == 0 || text.length() + names.get(named).length() + 2 <= longest)) {
            text.append(named == 0 ? "" : ", ").append(names.get(named++));
        }
        int more = names.size() - named;
        return more == 0 ? text.toString() : text + " and " + more + " more";
    }

    /** The line up to this number of characters; a cut ends in dots and never splits a letter. */
    public static String cut(String line, int longest) {
        if (line.length() <= longest) {
            return line;
        }
        int end = longest - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
