package dev.loopkeeper.json;

/**
 * How many inputs a test draws at random, and from which seed: the same few in each build. {@code -Dloopkeeper.fuzz=20}
 * draws twenty times as many, {@code -Dloopkeeper.seed=N} others; both together repeat a night.
 */
public final class Fuzz {
    private Fuzz() {}

    public static int rounds(int usual) {
        return usual * Integer.getInteger("loopkeeper.fuzz", 1);
    }

    public static long seed(long usual) {
        return usual + Long.getLong("loopkeeper.seed", 0L);
    }
}
