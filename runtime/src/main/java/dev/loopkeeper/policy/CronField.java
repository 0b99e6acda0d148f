package dev.loopkeeper.policy;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A field of a cron expression and the values that it may have. */
enum CronField {
    MINUTE("minute", 0, 59, List.of()),
    HOUR("hour", 0, 23, List.of()),
    DAY("day of month", 1, 31, List.of()),
    MONTH("month", 1, 12, List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
    /** Sunday is 0 and 7. */
    WEEKDAY("day of week", 0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

    private static final Pattern PART = Pattern.compile("(\\*|[A-Z]+|\\d{1,2})(?:-([A-Z]+|\\d{1,2}))?(?:/(\\d{1,2}))?");

    private final String words;
    private final int first;
    private final int last;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; the checker requires another library's type
    private final List<String> names;

    CronField(String words, int first, int last, List<String> names) {
        this.words = words;
        this.first = first;
        this.last = last;
        this.names = names;
    }

    /**
     * Reads the values of a text such as {@code 1-5}, {@code *}{@code /15} or {@code mon,wed}.
     *
     * @throws IllegalArgumentException with the part that is wrong
     */
    BitSet read(String text) {
        BitSet values = new BitSet();
        for (String part : text.toUpperCase(Locale.ROOT).split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches() || (part.startsWith("*") && matcher.group(2) != null)) {
                throw wrong(part);
            }
            boolean all = part.startsWith("*");
            boolean open = all || (matcher.group(2) == null && matcher.group(3) != null);
            int from = all ? first : value(matcher.group(1));
            int until = open ? last : matcher.group(2) == null ? from : value(matcher.group(2));
            until = this == WEEKDAY && until == 0 && from > 0 ? 7 : until;
            int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
            if (step == 0 || until < from) {
                throw wrong(part);
            }
            for (int value = from; value <= until; value += step) {
                values.set(this == WEEKDAY ? value % 7 : value);
            }
        }
        return values;
    }

    private int value(String text) {
        int name = names.indexOf(text);
        int value = name >= 0 ? first + name : Character.isDigit(text.charAt(0)) ? Integer.parseInt(text) : -1;
        if (value < first || value > last) {
            throw wrong(text);
        }
        return value;
    }

    private IllegalArgumentException wrong(String part) {
        return new IllegalArgumentException(
                words + " '" + part.toLowerCase(Locale.ROOT) + "' is not a value, range or step of "
                        + first + " to " + last
                        + (names.isEmpty() ? "" : " or " + names.get(0) + " to " + names.get(names.size() - 1)));
    }
}
