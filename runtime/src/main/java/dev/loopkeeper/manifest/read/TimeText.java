package dev.loopkeeper.manifest.read;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the times that people write: RFC 3339, {@code 22:00}, {@code tomorrow 03:00}, {@code in 2h}. */
public final class TimeText {
    /** Examples for messages. */
    public static final String EXAMPLES = "22:00, 'tomorrow 03:00', 'in 2h' or 2026-11-20T22:00:00+01:00";

    private static final Pattern CLOCK = Pattern.compile("(?:(today|tomorrow) +)?([0-9]{1,2}):([0-9]{2})");
    private static final Pattern IN = Pattern.compile("in +([0-9a-z]+)");

    private TimeText() {}

    /**
     * The time, which may be past; empty for anything else. A clock time is one of today. Where a clock change skips it,
     * it is the first time after the gap; where it occurs twice, the first one that is not past.
     *
     * @param now of the caller, in the caller's zone
     */
    public static Optional<Instant> parse(String written, ZonedDateTime now) {
        String text = written.strip();
        String words = text.toLowerCase(Locale.ROOT);
        Matcher in = IN.matcher(words);
        if (in.matches()) {
            return DurationText.parse(in.group(1)).map(now.toInstant()::plus);
        }
        Matcher clock = CLOCK.matcher(words);
        return clock.matches() ? clock(clock, now) : rfc3339(text);
    }

    /** The time of a text such as {@code 2026-11-20T22:00:00+01:00}; empty for anything else. */
    public static Optional<Instant> rfc3339(String text) {
        try {
            return Optional.of(
                    OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant());
        } catch (DateTimeException other) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> clock(Matcher clock, ZonedDateTime now) {
        int hour = Integer.parseInt(clock.group(2));
        int minute = Integer.parseInt(clock.group(3));
        if (hour > 23 || minute > 59) {
            return Optional.empty();
        }
        LocalDate day = now.toLocalDate().plusDays("tomorrow".equals(clock.group(1)) ? 1 : 0);
        return Optional.of(instant(day.atTime(LocalTime.of(hour, minute)), now));
    }

    private static Instant instant(LocalDateTime local, ZonedDateTime now) {
        ZoneId zone = now.getZone();
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change != null && change.isGap()) {
            return change.getInstant();
        }
        ZonedDateTime first = local.atZone(zone);
        return (first.isBefore(now) ? first.withLaterOffsetAtOverlap() : first).toInstant();
    }
}
