package dev.loopkeeper.cli.print;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Times as people read them: those of their own clock, and how long ago.
 *
 * @param now what is today, and what ago is counted from
 */
public record Times(Instant now, ZoneId zone) {
    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter OTHER = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /** At this moment, at this place. */
    public static Times here() {
        return new Times(Instant.now(), ZoneId.systemDefault());
    }

    /** E.g. {@code 15:12:33}, or {@code 2026-11-20 15:12:33} where that is not today. */
    public String moment(Instant at) {
        boolean today = at.atZone(zone).toLocalDate().equals(now.atZone(zone).toLocalDate());
        return (today ? TODAY : OTHER).format(at.atZone(zone));
    }

    /** E.g. {@code 15:12:33, 12m ago}, or {@code 15:12:33, in 12m}. */
    public String moments(Instant at) {
        return moment(at) + (at.isAfter(now) ? ", in " + wait(at) : ", " + since(at) + " ago");
    }

    /** E.g. {@code 42s}, {@code 12m}, {@code 5h}, {@code 3d}. */
    public String since(Instant at) {
        return age(at, now);
    }

    /** E.g. {@code 1h 59m}: what a person plans by is not cut to whole hours. */
    private String wait(Instant until) {
        Duration left = Duration.between(now, until);
        boolean cut = left.toHours() >= 1 && left.toHours() < 48 && left.toMinutesPart() > 0;
        return age(now, until) + (cut ? " " + left.toMinutesPart() + "m" : "");
    }

    private static String age(Instant from, Instant until) {
        return age(Duration.between(from, until));
    }

    /** As {@link #since}. */
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
