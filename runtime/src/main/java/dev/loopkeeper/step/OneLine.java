package dev.loopkeeper.step;

import java.util.List;
import java.util.regex.Pattern;

/** Texts of agents as one line for people. */
public final class OneLine {
    /** Characters of a line that a person reads beside others: summaries and messages. */
    public static final int SUMMARY = 240;

    /** Line breaks, what moves a cursor, and what turns the direction of writing around. */
    private static final Pattern GAP =
            Pattern.compile("[\\s\\p{Cc}\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+");

    private static final Pattern ACTING =
            Pattern.compile("[\\p{Cc}&&[^\\t]]|[\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");

    /**
     * Escape sequences of a terminal, and letters that show nothing: what is hidden with them a person would pass on unread. What
     * joins letters and signs stays.
     */
    private static final Pattern COLOUR = Pattern.compile(
            "\\u001b\\[[0-?]{0,32}[ -/]{0,4}[@-~]|\\u001b\\][^\\u0007\\u001b]{0,1024}(?:\\u0007|\\u001b\\\\)"
                    + "|\\u001b[@-Z\\\\^_]|[\\u00ad\\u061c\\u180e\\u200b\\u2060-\\u2064\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb"
                    + "\\x{e0000}-\\x{e007f}]");

    private OneLine() {}

    /** The whole text, every line break and control character a space, without escape sequences of a terminal. */
    public static String of(String text) {
        return GAP.matcher(COLOUR.matcher(text).replaceAll("")).replaceAll(" ").strip();
    }

    /** A line that somebody printed, as it reads: indented as it was, without what acts on a terminal. */
    public static String readable(String line) {
        String plain = COLOUR.matcher(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
                .replaceAll("");
        // What a bar of progress wrote over is not there any more.
        return ACTING.matcher(plain.substring(plain.lastIndexOf('\r') + 1)).replaceAll("");
    }

    /** The same, at most so many characters long; what is cut ends in dots and not within a letter. */
    public static String of(String text, int longest) {
        // Whatever lies far behind the cut need not be looked at, however long the text is.
        return cut(of(text.length() > 8 * longest ? text.substring(0, 8 * longest) : text), longest);
    }

    /** The last lines of a text as one, at most so many characters: the last line always, those before it if they fit. */
    public static String end(String text, int longest) {
        List<String> lines = text.strip().lines().toList();
        String end = lines.isEmpty() ? "" : of(lines.get(lines.size() - 1), longest);
        for (int index = lines.size() - 2; index >= 0; index--) {
            String longer = of(lines.get(index) + " " + end);
            if (longer.length() > longest) {
                return end;
            }
            end = longer;
        }
        return end;
    }

    /** As many of these names as fit into so many characters, one at least, and how many more there are. */
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

    private static String cut(String line, int longest) {
        if (line.length() <= longest) {
            return line;
        }
        int end = longest - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
