package dev.loopkeeper.ownership;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lease as a file, for processes that act without the runtime: the warden and the launchers of steps.
 *
 * @param incarnation of the node that holds the lease, 1 or more
 * @param deadline when the node's processes must end
 */
public record LeaseFile(long incarnation, BootTime deadline) {
    private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,17}) (\\d{1,15})\n?");
    private static final int HUNDREDTH = 10;

    /** One line: incarnation and deadline in hundredths of a second, the unit of {@code /proc/uptime}, truncated. */
    public String text() {
        return incarnation + " " + Math.floorDiv(deadline.millis(), HUNDREDTH) + "\n";
    }

    /** Parses {@link #text}; empty for anything else. */
    public static Optional<LeaseFile> parse(String text) {
        Matcher line = TEXT.matcher(text);
        return line.matches()
                ? Optional.of(new LeaseFile(
                        Long.parseLong(line.group(1)), new BootTime(Long.parseLong(line.group(2)) * HUNDREDTH)))
                : Optional.empty();
    }
}
