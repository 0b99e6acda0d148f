package dev.loopkeeper.view;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The limits in force: the manifest's, as resumes changed them, e.g.
 * {@code {"costUsd": 5, "tokens": null, "turns": null, "maxIterations": 20}}. Absent where there is none.
 *
 * @param costUsd US dollars, over the whole run
 * @param tokens input and output together, over the whole run
 * @param turns over the whole run
 * @param maxIterations of the present or last phase, if that is a loop: how many of them it may do
 */
public record RunLimits(
        OptionalDouble costUsd, OptionalLong tokens, OptionalLong turns, Optional<Integer> maxIterations) {
    /** None that is known. */
    public static final RunLimits NONE =
            new RunLimits(OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
}
