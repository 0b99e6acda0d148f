package dev.loopkeeper.cluster;

/**
 * One thing that a node rests on, as it was seen.
 *
 * @param guarantee what holds because of it
 * @param needed whether a node does not start, or may do harm, without it
 * @param found what was seen; where it does not hold, with what to do
 */
public record NodeCheck(String guarantee, boolean needed, boolean holds, String found) {
    /** A node does not start, or may do harm, without it. */
    public static NodeCheck needed(String guarantee, boolean holds, String found) {
        return new NodeCheck(guarantee, true, holds, found);
    }

    /** It makes something better, or somebody should look at it. */
    public static NodeCheck useful(String guarantee, boolean holds, String found) {
        return new NodeCheck(guarantee, false, holds, found);
    }
}
