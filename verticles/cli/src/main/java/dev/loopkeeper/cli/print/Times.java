package dev.loopkeeper.cli.print;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/**
 * Formats times for people: in their time zone, and relative to now.
 *
 * @param now the current time, which "today" and "ago" refer to
 */
public record Times(Instant now, ZoneId zone) {
    /** An instant as {@link java.time.Instant#toString} writes it. */
    private static final Pattern UTC = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter OTHER = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /** Returns the current time in the time zone of the system. */
    public static Times here() {
        return new Times(Instant.now(), ZoneId.systemDefault());
    }

    /** Returns e.g. {@code 15:12:33}; {@code 2026-11-20 15:12:33} if that is not today. */
    public String moment(Instant at) {
        boolean today = at.atZone(zone).toLocalDate().equals(now.atZone(zone).toLocalDate());
        return (today ? TODAY : OTHER).format(at.atZone(zone));
    }

    /** Returns e.g. {@code 15:12:33, 12m ago} or {@code 15:12:33, in 12m}. */
    public String moments(Instant at) {
        return moment(at) + (at.isAfter(now) ? ", in " + wait(at) : ", " + since(at) + " ago");
    }

    /** Returns a text of the runtime with its first time, e.g. {@code 2026-11-20T15:12:33Z}, as a {@link #moment}. */
    public String local(String text) {
        return UTC.matcher(text).replaceFirst(found -> moment(Instant.parse(found.group())));
    }

    /** Returns e.g. {@code 42s}, {@code 12m}, {@code 5h}, {@code 3d}. */
    public String since(Instant at) {
        return age(at, now);
    }

    /** Returns e.g. {@code 1h 59m}: people plan by this time, so it is not cut to whole hours. */
    private String wait(Instant until) {
        Duration left = Duration.between(now, until);
        boolean cut = left.toHours() >= 1 && left.toHours() < 48 && left.toMinutesPart() > 0;
        return age(now, until) + (cut ? " " + left.toMinutesPart() + "m" : "");
    }

    private static String age(Instant from, Instant until) {
        return age(Duration.between(from, until));
    }

    /** Formats a duration like {@link #since}. */
    static String age(Duration passed) {
        if (passed.isNegative()) {
            return "0s";
        }
        if (passed.toMinutes() < 1) {
            return passed.toSeconds() + "s";
        }
        if (passed.toHours() < 1) {
            return passed.toMinutes() + "m";
        }
        return passed.toHours() < 48 ? passed.toHours() + "h" : passed.toDays() + "d";
    }
}
