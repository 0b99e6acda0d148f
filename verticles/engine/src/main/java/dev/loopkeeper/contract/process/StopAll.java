package dev.loopkeeper.contract.process;

/**
 * Command: end all supervised steps before the runtime stops.
 *
 * @param spareKept agents with {@code onRuntimeDeath: keep} continue without supervision; the next runtime adopts them
 * @param now skips the grace
 */
public record StopAll(boolean spareKept, boolean now) {}
