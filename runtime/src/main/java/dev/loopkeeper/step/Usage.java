package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The consumption of a step; unknown values are absent, never 0.
 *
 * @param costUsd US dollars, 0 or more; always finite, since JSON has no other numbers
 * @param inputTokens with cache reads and writes
 * @param estimated whether the cost was computed from prices, because the agent reported none
 */
public record Usage(
        OptionalDouble costUsd,
        OptionalLong inputTokens,
        OptionalLong outputTokens,
        OptionalLong turns,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean estimated) {
    public static final Usage UNKNOWN =
            new Usage(OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** A usage whose cost was reported, if it is known. */
    public Usage(OptionalDouble costUsd, OptionalLong inputTokens, OptionalLong outputTokens, OptionalLong turns) {
        this(costUsd, inputTokens, outputTokens, turns, false);
    }

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

    /** The same usage with an estimated cost. */
    public Usage estimatedAt(OptionalDouble estimate) {
        return new Usage(estimate, inputTokens, outputTokens, turns, estimate.isPresent());
    }

    /** The same usage with the cost of another one. */
    public Usage costing(Usage other) {
        return new Usage(other.costUsd, inputTokens, outputTokens, turns, other.estimated);
    }

    /** Whether this cost outranks that of the other usage: a known one an unknown one, a reported one an estimate. */
    public boolean hasBetterCost(Usage other) {
        return costUsd.isPresent() && (other.costUsd.isEmpty() || (other.estimated && !estimated));
    }

    /** The known values of this usage, and those of the other where this one does not know them. */
    public Usage or(Usage other) {
        return new Usage(
                        costUsd,
                        inputTokens.isPresent() ? inputTokens : other.inputTokens,
                        outputTokens.isPresent() ? outputTokens : other.outputTokens,
                        turns.isPresent() ? turns : other.turns)
                .costing(other.hasBetterCost(this) ? other : this);
    }

    /** The sum of both, as far as known. */
    public Usage plus(Usage more) {
        OptionalDouble cost = costUsd.isPresent() && more.costUsd.isPresent()
                ? OptionalDouble.of(costUsd.getAsDouble() + more.costUsd.getAsDouble())
                : costUsd.isPresent() ? costUsd : more.costUsd;
        return new Usage(
                cost,
                sum(inputTokens, more.inputTokens),
                sum(outputTokens, more.outputTokens),
                sum(turns, more.turns),
                estimated || more.estimated);
    }

    /** Adds counts, as far as known. A sum that overflows becomes the largest number, never negative. */
    public static OptionalLong sum(OptionalLong... counts) {
        return Stream.of(counts)
                .flatMapToLong(OptionalLong::stream)
                .reduce((left, right) -> left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right);
    }
}
