package dev.loopkeeper.ownership;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a node's runtime leaves for those who must act without it: its warden and the launchers of its steps.
 *
 * @param incarnation of the node that holds the lease, 1 or more
 * @param deadline when its processes are to end
 */
public record LeaseFile(long incarnation, BootTime deadline) {
    private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,17}) (\\d{1,15})\n?");
    private static final int HUNDREDTH = 10;

    /**
     * Whether a launcher may start its agent. Asked last thing before it does: a runtime can be paused between its own
     * look at the clock and the launcher's start. A launch that was decided under an earlier lease is refused even if
     * the node has a new one by now, since the run may be another node's.
     *
     * @param decided incarnation under which the launch was decided
     */
    public boolean permits(long decided, BootTime now) {
        return decided == incarnation && now.isBefore(deadline);
    }

    /** What the warden does about a deadline; {@code file} is empty when there is none or it cannot be read. */
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

    /** One line: incarnation and deadline in hundredths of a second, the unit of {@code /proc/uptime}, cut off. */
    public String text() {
        return incarnation + " " + Math.floorDiv(deadline.millis(), HUNDREDTH) + "\n";
    }

    /** What {@link #text} gives; empty for anything else. */
    public static Optional<LeaseFile> parse(String text) {
        Matcher line = TEXT.matcher(text);
        return line.matches()
                ? Optional.of(new LeaseFile(
                        Long.parseLong(line.group(1)), new BootTime(Long.parseLong(line.group(2)) * HUNDREDTH)))
                : Optional.empty();
    }
}
