package dev.loopkeeper.step;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a step consumed; what is unknown is absent, never 0.
 *
 * @param costUsd US dollars, 0 or more
 * @param inputTokens with cache reads and writes
 */
public record Usage(OptionalDouble costUsd, OptionalLong inputTokens, OptionalLong outputTokens, OptionalLong turns) {
    /** Nothing is known. */
    public static final Usage UNKNOWN =
            new Usage(OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
}
