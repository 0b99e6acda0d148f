package dev.loopkeeper.cli.print;

import dev.loopkeeper.step.OneLine;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** How values read in lines for people. */
public final class Words {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");
    private static final int LONGEST = 400;
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;

    private Words() {}

    /** A word as a shell takes it. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Texts of agents in one line, without what moves a terminal's cursor. */
    public static String oneLine(String text) {
        return OneLine.of(text);
    }

    /** The same, no longer than a person reads; the whole text is in the JSON. */
    public static String shown(String text) {
        return OneLine.of(text, LONGEST);
    }

    /** The last lines of a text, each no longer than a person reads. */
    public static List<String> lastLines(String text, int most) {
        List<String> lines =
                text.strip().lines().filter(line -> !line.isBlank()).toList();
        return lines.subList(Math.max(0, lines.size() - most), lines.size()).stream()
                .map(Words::shown)
                .toList();
    }

    /** E.g. {@code 0.4s}, {@code 12.0s}, {@code 3m 05s}, {@code 2h 00m}. */
    public static String duration(long millis) {
        Duration duration = Duration.ofMillis(Math.max(0, millis));
        long seconds = duration.toSeconds();
        if (seconds < MINUTE) {
            return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
        }
        return seconds < HOUR
                ? String.format(Locale.ROOT, "%dm %02ds", seconds / MINUTE, seconds % MINUTE)
                : String.format(Locale.ROOT, "%dh %02dm", seconds / HOUR, seconds % HOUR / MINUTE);
    }
}
