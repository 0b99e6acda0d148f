package dev.loopkeeper.rules;

import java.util.Random;

/** A choice among kinds that are usually so frequent, with other weights in each schedule: some kinds may be missing. */
final class Weights {
    private static final int[] FACTORS = {0, 1, 1, 1, 5};

    private final int[] weights;
    private final int sum;

    Weights(Random random, int... usual) {
        weights = usual.clone();
        int total = 0;
        for (int kind = 0; kind < weights.length; kind++) {
            weights[kind] *= FACTORS[random.nextInt(FACTORS.length)];
            total += weights[kind];
        }
        if (total == 0) {
            weights[0] = 1;
        }
        sum = Math.max(1, total);
    }

    /** The number of a kind. */
    int pick(Random random) {
        int left = random.nextInt(sum);
        int kind = 0;
        while (left >= weights[kind]) {
            left -= weights[kind++];
        }
        return kind;
    }
}
