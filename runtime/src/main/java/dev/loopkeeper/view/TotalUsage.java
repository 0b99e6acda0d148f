package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.step.Usage;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The usage of a run so far, including open steps, e.g. {@code {"costUsd": 1.25, "inputTokens": 40110, "outputTokens":
 * 6120, "turns": 31, "costKnown": true}}. An unreported value is absent, never 0.
 *
 * @param costUsd US dollars, 0 or more: total of reported costs
 * @param inputTokens with cache reads and writes
 * @param costKnown false when a step did not report its cost, so that the total is a lower bound
 * @param estimated whether the cost of a step is an estimate
 */
public record TotalUsage(
        OptionalDouble costUsd,
        OptionalLong inputTokens,
        OptionalLong outputTokens,
        OptionalLong turns,
        boolean costKnown,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean estimated) {
    /** The usage of a run that reported none. */
    public static final TotalUsage UNKNOWN = new TotalUsage(
            OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), false, false);

    /** Input and output together, as far as reported. */
    public OptionalLong tokens() {
        return Usage.sum(inputTokens, outputTokens);
    }
}
