package dev.loopkeeper.policy;

import dev.loopkeeper.json.WireName;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;

/** The length of a cap's window, by the calendar of its zone; a week is that of ISO 8601. */
public enum Window implements WireName {
    HOUR,
    DAY,
    WEEK,
    MONTH;

    private static final Duration AN_HOUR = Duration.ofHours(1);

    /**
     * A window of a zone. Windows follow each other without a gap, also at a change of the clock.
     *
     * @param end the first instant of the next window
     */
    public record Span(Instant start, Instant end) {}

    /** Returns the window that contains this instant. */
    public Span at(Instant instant, ZoneId zone) {
        LocalDate day = instant.atZone(zone).toLocalDate();
        return switch (this) {
            case HOUR -> hour(instant, zone);
            case DAY -> days(day, day.plusDays(1), zone);
            case WEEK -> {
                LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                yield days(monday, monday.plusWeeks(1), zone);
            }
            case MONTH -> days(day.withDayOfMonth(1), day.withDayOfMonth(1).plusMonths(1), zone);
        };
    }

    private static Span days(LocalDate first, LocalDate next, ZoneId zone) {
        return new Span(
                first.atStartOfDay(zone).toInstant(), next.atStartOfDay(zone).toInstant());
    }

    /** An hour of the clock that occurs twice is two windows. A change by half an hour begins a window too. */
    private static Span hour(Instant instant, ZoneId zone) {
        Instant full = instant.atOffset(zone.getRules().getOffset(instant))
                .truncatedTo(ChronoUnit.HOURS)
                .toInstant();
        ZoneOffsetTransition before = zone.getRules().previousTransition(instant.plusNanos(1));
        ZoneOffsetTransition after = zone.getRules().nextTransition(instant);
        Instant start = before != null && before.getInstant().isAfter(full) ? before.getInstant() : full;
        Instant end = full.plus(AN_HOUR);
        return new Span(start, after != null && after.getInstant().isBefore(end) ? after.getInstant() : end);
    }
}
