package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Limits what a run may spend over all its executions.
 *
 * @param costUsd US dollars, above zero
 * @param tokens input and output together, above zero
 * @param turns above zero
 * @param time active time, above zero
 * @param warnAt share of a cap at which Loopkeeper warns, above 0 up to 1; default 0.8
 */
public record Budget(
        OptionalDouble costUsd,
        OptionalLong tokens,
        OptionalLong turns,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Duration> time,
        double warnAt) {
    /** No caps. */
    public static final Budget NONE =
            new Budget(OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), 0.8);
}
