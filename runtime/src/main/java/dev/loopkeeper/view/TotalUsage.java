package dev.loopkeeper.view;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a run used so far, open steps included, e.g.
 * {@code {"costUsd": 1.25, "inputTokens": 40110, "outputTokens": 6120, "turns": 31, "costKnown": true}}. What no step
 * told is absent, never 0.
 *
 * @param costUsd US dollars, 0 or more: the sum of what was told
 * @param inputTokens with cache reads and writes
 * @param costKnown false when some step did not tell its cost, so that the sum is the least it can be
 */
public record TotalUsage(
        OptionalDouble costUsd,
        OptionalLong inputTokens,
        OptionalLong outputTokens,
        OptionalLong turns,
        boolean costKnown) {
    /** Nothing was told. */
    public static final TotalUsage UNKNOWN = new TotalUsage(
            OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), false);

    /** Input and output together, as far as they were told. */
    public OptionalLong tokens() {
        return inputTokens.isPresent() || outputTokens.isPresent()
                ? OptionalLong.of(inputTokens.orElse(0) + outputTokens.orElse(0))
                : OptionalLong.empty();
    }
}
