package dev.loopkeeper.view;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The current limits of a run, as changed by resumes, e.g. {@code {"costUsd": 5, "tokens": null, "turns": null,
 * "timeMs": null, "maxIterations": 20}}. An absent field is unlimited.
 *
 * @param costUsd US dollars, for the complete run
 * @param tokens input and output together, for the complete run
 * @param turns for the complete run
 * @param timeMs active time in milliseconds, for the complete run
 * @param maxIterations limit of the current or last phase, if it is a loop
 */
public record RunLimits(
        OptionalDouble costUsd,
        OptionalLong tokens,
        OptionalLong turns,
        Optional<Long> timeMs,
        Optional<Integer> maxIterations) {
    /** No known limits. */
    public static final RunLimits NONE = new RunLimits(
            OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty());
}
