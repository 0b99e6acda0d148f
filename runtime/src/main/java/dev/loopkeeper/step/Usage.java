package dev.loopkeeper.step;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The consumption of a step; unknown values are absent, never 0.
 *
 * @param costUsd US dollars, 0 or more; always finite, since JSON has no other numbers
 * @param inputTokens with cache reads and writes
 */
public record Usage(OptionalDouble costUsd, OptionalLong inputTokens, OptionalLong outputTokens, OptionalLong turns) {
    public static final Usage UNKNOWN =
            new Usage(OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** A sum that overflows becomes the largest number. */
    public Usage {
        costUsd = costUsd.isPresent() ? OptionalDouble.of(finite(costUsd.getAsDouble())) : costUsd;
    }

    /** Limits a sum of costs to the largest number. */
    public static double finite(double costUsd) {
        return Math.min(costUsd, Double.MAX_VALUE);
    }

    /** Input and output tokens together, as far as reported. */
    public OptionalLong tokens() {
        return sum(inputTokens, outputTokens);
    }

    /** The known values of this usage, and those of the other where this one does not know them. */
    public Usage or(Usage other) {
        return new Usage(
                costUsd.isPresent() ? costUsd : other.costUsd,
                inputTokens.isPresent() ? inputTokens : other.inputTokens,
                outputTokens.isPresent() ? outputTokens : other.outputTokens,
                turns.isPresent() ? turns : other.turns);
    }

    /** Adds counts, as far as known. A sum that overflows becomes the largest number, never negative. */
    public static OptionalLong sum(OptionalLong... counts) {
        return Stream.of(counts)
                .flatMapToLong(OptionalLong::stream)
                .reduce((left, right) -> left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right);
    }
}
