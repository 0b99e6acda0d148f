package dev.loopkeeper.process.tree;

/**
 * One process for good: a pid alone is used again after its owner is gone.
 *
 * @param startTicks start time in clock ticks since boot, field 22 of {@code /proc/PID/stat}
 * @param bootId {@code /proc/sys/kernel/random/boot_id}; empty where the system has none
 */
public record Identity(long pid, long startTicks, String bootId) {}
