package dev.loopkeeper.step;

import static java.util.Map.entry;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds times of day in a provider's message, e.g. {@code resets 3pm (Europe/Berlin)}, {@code resets Nov 24, 9am (UTC)}
 * or {@code Try again at 3:45 PM.} A time without a date is the next one; a time that has just passed means one minute
 * from now. When clocks go back, the first future instant applies. A time that clocks skip moves forward by the skipped
 * span.
 */
final class ClockTimes {
    private static final String DAY = "(?:(?<weekday>mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?(?: at)? )?";
    private static final String DATE = "(?:(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.? "
            + "(?<day>\\d{1,2})(?:st|nd|rd|th)?+(?:,? (?<year>\\d{4}))?+(?:,? at|,)? )?";
    private static final String TIME =
            "(?:(?<hour>\\d{1,2})(?::(?<minute>[0-5]\\d)(?::[0-5]\\d)?)?+\\s?(?<half>[ap]\\.?m\\b)"
                    + "|(?<hours>\\d{1,2}):(?<minutes>[0-5]\\d)(?!\\d))";
    private static final String ZONE =
            "\\.?(?:\\s?\\((?<zone>[A-Za-z0-9_+/:-]{1,40}+)\\)|\\s(?<utc>(?:UTC|GMT)(?:[+-]\\d{1,2}(?::\\d\\d)?+)?+|[ECMP][SD]?T|CES?T|BST|IST|JST)\\b)?";

    /** Abbreviations that providers write, and the zones they mean by them; {@code ET} and {@code EST} follow the season. */
    private static final Map<String, String> ABBREVIATIONS = Map.ofEntries(
            entry("ET", "America/New_York"),
            entry("EST", "America/New_York"),
            entry("EDT", "America/New_York"),
            entry("CT", "America/Chicago"),
            entry("CST", "America/Chicago"),
            entry("CDT", "America/Chicago"),
            entry("MT", "America/Denver"),
            entry("MST", "America/Denver"),
            entry("MDT", "America/Denver"),
            entry("PT", "America/Los_Angeles"),
            entry("PST", "America/Los_Angeles"),
            entry("PDT", "America/Los_Angeles"),
            entry("BST", "Europe/London"),
            entry("CET", "Europe/Berlin"),
            entry("CEST", "Europe/Berlin"),
            entry("IST", "Asia/Kolkata"),
            entry("JST", "Asia/Tokyo"));

    private static final Pattern CLOCK = Pattern.compile(
            "\\b(?:resets?|again|retry|available|until|restored|renews|returns)(?: (?:on|at|after|again|by|today|(?<tomorrow>tomorrow),?)){0,3}:? "
                    + DAY + DATE + TIME + ZONE,
            Pattern.CASE_INSENSITIVE);
    /** Day before month, e.g. {@code at 10 July 2026, 11:52}; Codex writes {@code at 10 de jul. de 2026, 11:52}. */
    private static final Pattern DAY_FIRST = Pattern.compile(
            "\\b(?<day>\\d{1,2})(?:\\.|st|nd|rd|th)? (?:de |of )?(?<month>\\p{L}{3,12}+)\\.?,? (?:de |of )?(?<year>20\\d\\d)"
                    + "(?:,|,? at)? (?<hours>\\d{1,2}):(?<minutes>[0-5]\\d)(?!\\d)"
                    + ZONE,
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    /** A time within this span is past, not tomorrow's: clocks differ, and an agent retries for a while. */
    private static final Duration JUST_NOW = Duration.ofMinutes(5);

    private static final Duration SOON = Duration.ofMinutes(1);

    private static final Duration HALF_A_YEAR = Duration.ofDays(182);

    private ClockTimes() {}

    static Optional<Instant> find(String text, Instant now, ZoneId zone) {
        return dayFirst(text, zone).or(() -> clock(text, now, zone));
    }

    private static Optional<Instant> dayFirst(String text, ZoneId zone) {
        Matcher matcher = DAY_FIRST.matcher(text);
        return matcher.find()
                ? valid(() -> at(
                        Integer.parseInt(matcher.group("year")),
                        matcher,
                        fullHour(matcher),
                        zone(matcher).orElse(zone)))
                : Optional.empty();
    }

    /** The value; empty when a number in it is out of range. */
    static <T> Optional<T> valid(Supplier<T> time) {
        try {
            return Optional.of(time.get());
        } catch (DateTimeException noSuchTime) {
            return Optional.empty();
        }
    }

    /**
     * @throws DateTimeException if no month name begins with the text
     */
    static Month month(String name) {
        String letters = name.substring(0, Math.min(3, name.length())).toUpperCase(Locale.ROOT);
        return Stream.of(Month.values())
                .filter(month -> month.name().startsWith(letters))
                .findFirst()
                .orElseThrow(() -> new DateTimeException("not a month: " + name));
    }

    private static Optional<Instant> clock(String text, Instant now, ZoneId zone) {
        Matcher matcher = CLOCK.matcher(text);
        if (!matcher.find()) {
            return Optional.empty();
        }
        ZoneId named = zone(matcher).orElse(zone);
        Optional<LocalTime> time = valid(() -> time(matcher));
        return matcher.group("month") == null
                ? time.flatMap(at -> next(matcher, at, now, named))
                : time.flatMap(at -> valid(() -> dated(matcher, at, now, named)));
    }

    private static Optional<ZoneId> zone(Matcher matcher) {
        return zone(matcher.group("zone") == null ? matcher.group("utc") : matcher.group("zone"));
    }

    /** The zone of this name, in any case of letters; empty for null and for an unknown zone. */
    static Optional<ZoneId> zone(String name) {
        return Optional.ofNullable(name).map(ClockTimes::known).flatMap(known -> valid(() -> ZoneId.of(known)));
    }

    private static String known(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (universal(name)) {
            return upper;
        }
        return Optional.ofNullable(ABBREVIATIONS.get(upper))
                .or(() -> ZoneId.getAvailableZoneIds().stream()
                        .filter(name::equalsIgnoreCase)
                        .findFirst())
                .orElse(name);
    }

    private static boolean universal(String name) {
        return name.regionMatches(true, 0, "UTC", 0, 3) || name.regionMatches(true, 0, "GMT", 0, 3);
    }

    private static LocalTime time(Matcher matcher) {
        if (matcher.group("half") == null) {
            return fullHour(matcher);
        }
        int hour = Integer.parseInt(matcher.group("hour"));
        if (hour < 1 || hour > 12) {
            throw new DateTimeException("no such hour: " + hour);
        }
        boolean afternoon = matcher.group("half").toLowerCase(Locale.ROOT).startsWith("p");
        int minute = matcher.group("minute") == null ? 0 : Integer.parseInt(matcher.group("minute"));
        return LocalTime.of(hour % 12 + (afternoon ? 12 : 0), minute);
    }

    /** A time with an hour from 0 to 23. */
    private static LocalTime fullHour(Matcher matcher) {
        return LocalTime.of(Integer.parseInt(matcher.group("hours")), Integer.parseInt(matcher.group("minutes")));
    }

    private static Optional<Instant> next(Matcher matcher, LocalTime time, Instant now, ZoneId zone) {
        LocalDate today = now.atZone(zone).toLocalDate();
        String weekday = matcher.group("weekday");
        return IntStream.rangeClosed(matcher.group("tomorrow") == null ? -1 : 1, 8)
                .mapToObj(today::plusDays)
                .filter(date -> weekday == null || isDay(date.getDayOfWeek(), weekday))
                .map(date -> ZonedDateTime.of(date, time, zone))
                .flatMap(at -> Stream.of(at.withEarlierOffsetAtOverlap(), at.withLaterOffsetAtOverlap()))
                .map(ZonedDateTime::toInstant)
                .filter(at -> at.isAfter(now.minus(JUST_NOW)))
                .findFirst()
                .map(at -> at.isAfter(now) ? at : now.plus(SOON));
    }

    private static boolean isDay(DayOfWeek day, String abbreviation) {
        return day.name().startsWith(abbreviation.toUpperCase(Locale.ROOT));
    }

    /** Returns the instant of a date; without a year, the date nearest to now. */
    private static Instant dated(Matcher matcher, LocalTime time, Instant now, ZoneId zone) {
        int thisYear = now.atZone(zone).getYear();
        boolean stated = matcher.group("year") != null;
        int year = stated ? Integer.parseInt(matcher.group("year")) : thisYear;
        Instant at = at(year, matcher, time, zone);
        boolean longPast = !stated && at.isBefore(now.minus(HALF_A_YEAR));
        return longPast ? at(year + 1, matcher, time, zone) : at;
    }

    private static Instant at(int year, Matcher matcher, LocalTime time, ZoneId zone) {
        Month month = month(matcher.group("month"));
        LocalDate date = LocalDate.of(year, month, Integer.parseInt(matcher.group("day")));
        return ZonedDateTime.of(date, time, zone).toInstant();
    }
}
