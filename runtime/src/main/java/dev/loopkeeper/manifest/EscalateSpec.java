package dev.loopkeeper.manifest;

/**
 * When another agent takes over.
 *
 * @param after tries of a loop or an item in a row that were STALLED or rejected, 1 or more; default 2
 * @param to the agent that takes over
 */
public record EscalateSpec(int after, String to) {
    public static final int AFTER = 2;
}
