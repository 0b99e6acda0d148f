package dev.loopkeeper.cli.print;

import dev.loopkeeper.step.OneLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Formats values for lines that people read. */
public final class Words {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");
    private static final int LONGEST = 400;
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;

    private Words() {}

    /** Quotes a word for a shell if needed. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns a text of an agent in one line, without control characters that move a terminal's cursor. */
    public static String oneLine(String text) {
        return OneLine.of(text);
    }

    /** Returns a text in one line, cut to 400 characters; JSON output has the complete text. */
    public static String shown(String text) {
        return OneLine.of(text, LONGEST);
    }

    /** Returns the last lines of a text, the first that names a failure among them, each cut to 400 characters. */
    public static List<String> lastLines(String text, int most) {
        List<String> lines =
                text.strip().lines().filter(line -> !line.isBlank()).toList();
        List<String> shown = new ArrayList<>(lines.subList(Math.max(0, lines.size() - most), lines.size()));
        OneLine.failure(lines.stream())
                .filter(failure -> !shown.contains(failure))
                .ifPresent(failure -> shown.set(0, failure));
        return shown.stream().map(Words::shown).toList();
    }

    /** Returns e.g. {@code 0.4s}, {@code 12.0s}, {@code 3m 05s}, {@code 2h 00m}. */
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
