package dev.loopkeeper.ownership;

import java.time.Duration;

/**
 * A time on the boot clock of one machine, the first number of Linux' {@code /proc/uptime}. Unlike {@code
 * System.nanoTime}, it includes time in suspend. It is meaningless on another machine or after a reboot.
 *
 * @param millis since the machine started; the clock has a resolution of 10
 */
public record BootTime(long millis) implements Comparable<BootTime> {

    /** The time later by this duration. */
    public BootTime plus(Duration time) {
        return new BootTime(millis + time.toMillis());
    }

    /** The time earlier by this duration. */
    public BootTime minus(Duration time) {
        return new BootTime(millis - time.toMillis());
    }

    /** The duration since the former time; negative when that is in the future. */
    public Duration since(BootTime former) {
        return Duration.ofMillis(millis - former.millis);
    }

    /** Whether this time is strictly before the other. */
    public boolean isBefore(BootTime other) {
        return millis < other.millis;
    }

    /** The earlier of the two times. */
    public BootTime orEarlier(BootTime other) {
        return other.isBefore(this) ? other : this;
    }

    /** The later of the two times. */
    public BootTime orLater(BootTime other) {
        return isBefore(other) ? other : this;
    }

    @Override
    public int compareTo(BootTime other) {
        return Long.compare(millis, other.millis);
    }
}
