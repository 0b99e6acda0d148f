package dev.loopkeeper.verdict;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Removes what differs between two iterations with the same result: times, durations, random ids and the iteration's
 * number. Linear in the length of the text, and idempotent.
 */
public final class Normaliser {
    private record Replacement(Pattern pattern, String placeholder) {}

    private static final String MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    private static final String WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
    private static final String CLOCK = "\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:\\s?[ap](?:m\\b|\\.m\\.))?";
    private static final String OFFSET = "(?:\\s?(?:Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)\\b)?";
    private static final String NUMBER = "\\d{1,15}+(?:[.,]\\d{1,9}+){0,4}+";
    private static final String SPELLED_UNIT =
            "(?:nanoseconds?|microseconds?|milliseconds?|msecs?|ms|ns|\u00b5s|us|seconds?|secs?|s|minutes?|mins?|hours?|hrs?)";
    /** Single letters are units only in lower case and without a space: neither 5M nor 5 m is a duration. */
    private static final String COMPACT = "(?-i:(?:\\d{1,9}+(?:\\.\\d{1,9}+)?+(?:ms|[dhms])){1,5}+)";

    private static final String SPAN =
            "(?:(?:" + COMPACT + "|" + NUMBER + "\\s?" + SPELLED_UNIT + ")(?![\\p{Alnum}_]))";

    private static final List<Replacement> REPLACEMENTS = List.of(
            replace("\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "<id>"),
            replace("(?<![\\p{Alnum}_])[0-9a-f]{32,}+(?![\\p{Alnum}_])", "<id>"),
            replace(
                    "(?:\\b" + WEEKDAY + ",?\\s)?(?<![\\d.])(?:\\d{4}[-/]\\d\\d[-/]\\d\\d|\\d{1,2}/" + MONTH
                            + "/\\d{4}|\\d{1,2}/\\d{1,2}/\\d{4}|\\d{1,2}\\s" + MONTH + "\\s\\d{4})(?:(?:[T :_]|,\\s)"
                            + CLOCK + OFFSET + ")?(?!\\d)",
                    "<time>"),
            replace(
                    "(?:\\b" + WEEKDAY + "\\s)?\\b" + MONTH + "\\s{1,2}\\d{1,2}(?:,?\\s\\d{4})?,?\\s" + CLOCK + OFFSET
                            + "(?:\\s\\d{4}\\b)?",
                    "<time>"),
            // Excludes the line and column of Foo.java:12:34.
            replace("(?<![\\w:.,)\\]/-])" + CLOCK + OFFSET + "(?![\\w:])", "<time>"),
            // Seconds and milliseconds since 1970; micro- and nanoseconds only from 2020 to 2033, since others may be
            // ids.
            replace(
                    "(?<![\\w.])(?:\\d{10}(?:\\d{3})?(?:\\.\\d{1,9})?|1[6-9]\\d{14}(?:\\d{3})?)(?![\\w.]\\w|\\w)",
                    "<time>"),
            replace("(?<![\\p{Alnum}_.])" + SPAN + "(?:,?\\s?(?:and\\s)?" + SPAN + "){0,4}", "<duration>"),
            replace(
                    "\\b(iteration|iter)(?:[\\s:=#_\"'-]{0,4}|\\s(?:no\\.?|number)\\s)\\d{1,9}+(?:\\s?(?:/|of)\\s?\\d{1,9}+)?",
                    "$1 <n>"));

    private Normaliser() {}

    /** Replaces irrelevant parts of a text by placeholders. */
    public static String text(String text) {
        String result = text;
        for (Replacement replacement : REPLACEMENTS) {
            result = replacement.pattern().matcher(result).replaceAll(replacement.placeholder());
        }
        return result;
    }

    private static Replacement replace(String regex, String placeholder) {
        return new Replacement(Pattern.compile(regex, Pattern.CASE_INSENSITIVE), placeholder);
    }
}
