package dev.loopkeeper.process.tree;

/**
 * Identifies a process beyond its pid, which the kernel reuses.
 *
 * @param startTicks start time in clock ticks since boot, field 22 of {@code /proc/PID/stat}
 * @param bootId {@code /proc/sys/kernel/random/boot_id}; empty if the system has none
 */
public record Identity(long pid, long startTicks, String bootId) {}
