package dev.loopkeeper.manifest.read;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations: an integer and a unit, {@code 1500ms}, {@code 30s}, {@code 10m}, {@code 2h}. */
public final class DurationText {
    /** Examples for messages. */
    public static final String EXAMPLES = "1500ms, 30s, 10m or 2h";

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private DurationText() {}

    /** The duration, zero or more; empty for anything but one number of up to nine digits and one unit. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }
}
