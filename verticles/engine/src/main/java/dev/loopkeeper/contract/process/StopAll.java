package dev.loopkeeper.contract.process;

/**
 * Command: end every step that is followed, before the runtime ends.
 *
 * @param spareKept agents with {@code onRuntimeDeath: keep} live on, unwatched from now; the next runtime adopts them
 * @param now skips the grace
 */
public record StopAll(boolean spareKept, boolean now) {}
