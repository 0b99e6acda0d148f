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

    /**
     * Whether a launcher may start its agent. The launcher checks immediately before the start, because a runtime can
     * be paused after its own check. A launch decided under an earlier lease is refused even after a new join, since
     * another node may own the run by now.
     *
     * @param decided incarnation under which the launch was decided
     */
    public boolean permits(long decided, BootTime now) {
        return decided == incarnation && now.isBefore(deadline);
    }

    /**
     * The warden's action at this time.
     *
     * @param file empty when it is missing or unreadable
     */
    public static WardenOrder warden(Optional<LeaseFile> file, BootTime now) {
        if (file.isEmpty()) {
            return WardenOrder.KILL;
        }
        BootTime deadline = file.get().deadline;
        if (now.isBefore(deadline)) {
            return WardenOrder.LEAVE;
        }
        return now.isBefore(deadline.plus(LeaseTerms.GRACE)) ? WardenOrder.TERM : WardenOrder.KILL;
    }

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
