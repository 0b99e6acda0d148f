package dev.loopkeeper.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * When a schedule fires: a cron expression of five fields, for example {@code 0 2 * * 1-5}, or a word such as
 * {@code @daily}. If day of month and day of week are both given, one of them must match.
 *
 * <p>A time in the gap of a clock change fires at the end of the gap, a time that exists twice fires once. An expression
 * of every hour, or with a step or {@code *} in minutes or hours, fires in each hour that exists.
 */
public final class Cron {
    private static final Map<String, String> WORDS = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");
    /** Years in which each possible day occurs: 29 February is eight years apart around 2100. */
    private static final int LONGEST_YEARS = 9;

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet days;
    private final BitSet months;
    private final BitSet weekdays;
    private final boolean eitherDay;
    private final boolean everyHour;
    private final boolean repeats;

    private Cron(String[] fields) {
        minutes = CronField.MINUTE.read(fields[0]);
        hours = CronField.HOUR.read(fields[1]);
        days = CronField.DAY.read(fields[2]);
        months = CronField.MONTH.read(fields[3]);
        weekdays = CronField.WEEKDAY.read(fields[4]);
        eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
        everyHour = hours.cardinality() == 24;
        repeats = everyHour || (fields[0] + fields[1]).matches(".*[*/].*");
    }

    /** Returns the words that stand for an expression. */
    public static Set<String> words() {
        return WORDS.keySet();
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException with what is wrong and a remedy, also if the expression never fires
     */
    public static Cron of(String text) {
        String[] fields = WORDS.getOrDefault(text.strip(), text).strip().split("\\s+");
        Cron cron;
        try {
            if (fields.length != 5) {
                throw new IllegalArgumentException(
                        "it has " + (text.isBlank() ? 0 : fields.length) + " of five fields");
            }
            cron = new Cron(fields);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a cron expression: " + wrong.getMessage()
                            + "; write minute, hour, day of month, month and day of week, for example '0 2 * * 1-5',"
                            + " or @hourly, @daily, @weekly, @monthly or @yearly",
                    wrong);
        }
        if (cron.next(Instant.EPOCH, ZoneOffset.UTC).isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' never fires: its months do not have such a day");
        }
        return cron;
    }

    /** Returns the first time after {@code after} that this expression has in {@code zone}. */
    public Optional<Instant> next(Instant after, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        Instant since = after;
        ZoneOffset offset = rules.getOffset(after);
        LocalDateTime from = LocalDateTime.ofInstant(after, offset)
                .truncatedTo(ChronoUnit.MINUTES)
                .plusMinutes(1);
        while (true) {
            Optional<LocalDateTime> match = match(from);
            if (match.isEmpty()) {
                return Optional.empty();
            }
            LocalDateTime time = match.get();
            ZoneOffsetTransition change = rules.nextTransition(since);
            if (change == null || time.isBefore(change.getDateTimeBefore())) {
                if (repeats || rules.getValidOffsets(time).get(0).equals(offset)) {
                    return Optional.of(time.toInstant(offset));
                }
                from = time.plusMinutes(1);
            } else if (change.isGap() && !everyHour && time.isBefore(change.getDateTimeAfter())) {
                return Optional.of(change.getInstant());
            } else {
                since = change.getInstant();
                offset = change.getOffsetAfter();
                from = change.getDateTimeAfter();
            }
        }
    }

    /** Returns the first local time at or after {@code from} that matches, as if no clock changed. */
    private Optional<LocalDateTime> match(LocalDateTime from) {
        LocalDate last = from.toLocalDate().plusYears(LONGEST_YEARS);
        for (LocalDateTime day = from; day.toLocalDate().isBefore(last); day = midnightAfter(day)) {
            for (int hour = hours.nextSetBit(day.getHour());
                    matches(day) && hour >= 0;
                    hour = hours.nextSetBit(hour + 1)) {
                int minute = minutes.nextSetBit(hour == day.getHour() ? day.getMinute() : 0);
                if (minute >= 0) {
                    return Optional.of(day.toLocalDate().atTime(hour, minute));
                }
            }
        }
        return Optional.empty();
    }

    private static LocalDateTime midnightAfter(LocalDateTime day) {
        return day.toLocalDate().plusDays(1).atStartOfDay();
    }

    private boolean matches(LocalDateTime day) {
        boolean dayOfMonth = days.get(day.getDayOfMonth());
        boolean dayOfWeek = weekdays.get(day.getDayOfWeek().getValue() % 7);
        return months.get(day.getMonthValue()) && (eitherDay ? dayOfMonth || dayOfWeek : dayOfMonth && dayOfWeek);
    }

    /** Returns the newest times after {@code after} and not after {@code until}, at least {@code count}, oldest first. */
    public List<Instant> between(Instant after, Instant until, ZoneId zone, int count) {
        for (Duration span = Duration.ofHours(1); ; span = span.multipliedBy(2)) {
            Instant begin = until.minus(span);
            List<Instant> newest = new ArrayList<>();
            Optional<Instant> each = next(begin.isAfter(after) ? begin : after, zone);
            while (each.isPresent() && !each.get().isAfter(until)) {
                newest.add(each.get());
                each = next(each.get(), zone);
            }
            if (newest.size() >= count || !begin.isAfter(after)) {
                return newest;
            }
        }
    }
}
