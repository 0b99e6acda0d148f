package dev.loopkeeper.step;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds days without a time of day in a provider's message, e.g. {@code resets on 1 August 2026} or {@code cycle ends
 * on 7/17/2026}: the beginning of a future day.
 */
final class ResetDays {
    private static final String ORDINAL = "(?:st|nd|rd|th)?+\\.?";
    private static final Pattern DAY = Pattern.compile(
            "\\b(?:resets?|renews?|again|available|until|restored|ends)(?: (?:on|at|until|by|from)){0,2}:? "
                    + "(?:(?<iso>20\\d\\d-\\d\\d-\\d\\d)"
                    + "|(?<first>\\d{1,2})/(?<second>\\d{1,2})(?:/(?<slashed>20\\d\\d)|(?<=\\bon \\d{1,2}/\\d{1,2}))"
                    + "|(?<name>\\p{L}{3,12}+)\\.? (?<after>\\d{1,2})" + ORDINAL + "(?:,? (?<year>20\\d\\d))?"
                    + "|(?<before>\\d{1,2})" + ORDINAL + " (?:de |of )?(?<behind>\\p{L}{3,12}+)"
                    + "(?:,? (?:de |of )?(?<last>20\\d\\d))?)(?![\\w:/-])(?:\\s?\\((?<zone>[A-Za-z0-9_+/-]{1,40}+)\\))?",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

    private ResetDays() {}

    static Optional<Instant> find(String text, Instant now, ZoneId zone) {
        Matcher found = DAY.matcher(text);
        if (!found.find()) {
            return Optional.empty();
        }
        LocalDate today = now.atZone(zone).toLocalDate();
        ZoneId there = ClockTimes.zone(found.group("zone")).orElse(zone);
        return dates(found, today)
                .flatMap(date -> ClockTimes.valid(date).stream())
                .map(date -> date.atStartOfDay(there).toInstant())
                .filter(day -> day.isAfter(now) && !day.isAfter(now.plus(RetryTimes.FARTHEST)))
                .findFirst();
    }

    /** Possible dates, the likeliest first: two numbers are month and day, or else day and month. */
    private static Stream<Supplier<LocalDate>> dates(Matcher found, LocalDate today) {
        if (found.group("iso") != null) {
            return Stream.of(() -> LocalDate.parse(found.group("iso")));
        }
        if (found.group("first") != null) {
            int first = Integer.parseInt(found.group("first"));
            int second = Integer.parseInt(found.group("second"));
            return years(found.group("slashed"), today)
                    .flatMap(year -> Stream.of(
                            () -> LocalDate.of(year, first, second), () -> LocalDate.of(year, second, first)));
        }
        boolean dayLast = found.group("name") != null;
        String name = found.group(dayLast ? "name" : "behind");
        int day = Integer.parseInt(found.group(dayLast ? "after" : "before"));
        return years(found.group(dayLast ? "year" : "last"), today)
                .map(year -> () -> LocalDate.of(year, ClockTimes.month(name), day));
    }

    private static Stream<Integer> years(String stated, LocalDate today) {
        return stated == null ? Stream.of(today.getYear(), today.getYear() + 1) : Stream.of(Integer.parseInt(stated));
    }
}
