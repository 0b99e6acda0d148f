package dev.loopkeeper.ownership;

import java.time.Duration;

/**
 * A moment on the boot clock of one machine, the first number of Linux' {@code /proc/uptime}: it never steps and goes on
 * while the machine is suspended, unlike {@code System.nanoTime}. It means nothing on another machine or after a reboot.
 *
 * @param millis since the machine was started; the clock is read in steps of 10
 */
public record BootTime(long millis) implements Comparable<BootTime> {

    /** This much later. */
    public BootTime plus(Duration time) {
        return new BootTime(millis + time.toMillis());
    }

    /** This much earlier. */
    public BootTime minus(Duration time) {
        return new BootTime(millis - time.toMillis());
    }

    /** What has gone by since then; below zero when that is still to come. */
    public Duration since(BootTime former) {
        return Duration.ofMillis(millis - former.millis);
    }

    /** Whether this is before that one; a moment is not before itself. */
    public boolean isBefore(BootTime other) {
        return millis < other.millis;
    }

    /** The earlier of both. */
    public BootTime orEarlier(BootTime other) {
        return other.isBefore(this) ? other : this;
    }

    /** The later of both. */
    public BootTime orLater(BootTime other) {
        return isBefore(other) ? other : this;
    }

    @Override
    public int compareTo(BootTime other) {
        return Long.compare(millis, other.millis);
    }
}
