package dev.loopkeeper.step;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a step consumed; what is unknown is absent, never 0.
 *
 * @param costUsd US dollars, 0 or more; always finite, since JSON has no other numbers
 * @param inputTokens with cache reads and writes
 */
public record Usage(OptionalDouble costUsd, OptionalLong inputTokens, OptionalLong outputTokens, OptionalLong turns) {
    /** Nothing is known. */
    public static final Usage UNKNOWN =
            new Usage(OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** A sum that is too large for a number is the largest number. */
    public Usage {
        costUsd = costUsd.isPresent() ? OptionalDouble.of(finite(costUsd.getAsDouble())) : costUsd;
    }

    /** This sum of costs, at most the largest number. */
    public static double finite(double costUsd) {
        return Math.min(costUsd, Double.MAX_VALUE);
    }
}
