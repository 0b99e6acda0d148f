package dev.loopkeeper.cluster;

/**
 * Result of checking one requirement of a node.
 *
 * @param guarantee what holds if the requirement is met
 * @param needed whether a node refuses to start, or may do harm, without it
 * @param found what was found; if the requirement is not met, also what to do
 */
public record NodeCheck(String guarantee, boolean needed, boolean holds, String found) {
    /** A requirement without which a node refuses to start or may do harm. */
    public static NodeCheck needed(String guarantee, boolean holds, String found) {
        return new NodeCheck(guarantee, true, holds, found);
    }

    /** A recommendation. */
    public static NodeCheck useful(String guarantee, boolean holds, String found) {
        return new NodeCheck(guarantee, false, holds, found);
    }
}
