package dev.loopkeeper.statistics;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.step.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The total usage of steps. Each part is the total of reported values; absent when none was reported, never 0.
 *
 * @param costUsd total of reported costs; a decimal, since binary sums of cents drift
 * @param costReported whether any step reported a cost, even 0; otherwise {@code costUsd} is a meaningless 0
 * @param costKnown false as soon as the cost of one step is unknown
 * @param estimated whether the cost of a step is an estimate
 */
public record Spending(
        BigDecimal costUsd,
        boolean costReported,
        OptionalLong inputTokens,
        OptionalLong outputTokens,
        OptionalLong turns,
        boolean costKnown,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean estimated) {
    /** Billionths of a dollar, the precision that survives JSON numbers. */
    private static final int SCALE = 9;

    /** The largest JSON number. */
    private static final BigDecimal MOST = BigDecimal.valueOf(Double.MAX_VALUE);

    /** Normalises the number, so that equal sums are equal. */
    public Spending {
        BigDecimal rounded = costUsd.min(MOST).setScale(SCALE, RoundingMode.HALF_EVEN);
        costUsd = rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    }

    public static final Spending NOTHING = new Spending(
            BigDecimal.ZERO, false, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), true, false);

    /** Adds the usage of a step. Tokens or turns without a cost make the total cost unknown. */
    public Spending plus(Usage usage) {
        return new Spending(
                usage.costUsd().isPresent()
                        ? costUsd.add(BigDecimal.valueOf(usage.costUsd().getAsDouble()))
                        : costUsd,
                costReported || usage.costUsd().isPresent(),
                Usage.sum(inputTokens, usage.inputTokens()),
                Usage.sum(outputTokens, usage.outputTokens()),
                Usage.sum(turns, usage.turns()),
                costKnown && !hidesCost(usage),
                estimated || usage.estimated());
    }

    /** Adds a step of unknown cost. */
    public Spending plusUnknownCost() {
        return new Spending(costUsd, costReported, inputTokens, outputTokens, turns, false, estimated);
    }

    /** Whether the usage reports tokens or turns but no cost. */
    public static boolean hidesCost(Usage usage) {
        boolean used = usage.inputTokens().isPresent()
                || usage.outputTokens().isPresent()
                || usage.turns().isPresent();
        return used && usage.costUsd().isEmpty();
    }

    /** Merges two reports of a step: reports only grow and may arrive in any order. */
    public static Usage most(Usage one, Usage other) {
        boolean more = other.costUsd().orElse(-1) > one.costUsd().orElse(-1);
        return new Usage(
                        OptionalDouble.empty(),
                        most(one.inputTokens(), other.inputTokens()),
                        most(one.outputTokens(), other.outputTokens()),
                        most(one.turns(), other.turns()))
                .costing(other.hasBetterCost(one) || (more && !one.hasBetterCost(other)) ? other : one);
    }

    private static OptionalLong most(OptionalLong one, OptionalLong other) {
        return other.isPresent() && other.getAsLong() > one.orElse(-1) ? other : one;
    }

    /** Input and output tokens together, as far as reported. */
    @JsonIgnore
    public OptionalLong tokens() {
        return Usage.sum(inputTokens, outputTokens);
    }

    /** Converts the total to a usage. */
    @JsonIgnore
    public Usage asUsage() {
        OptionalDouble cost = costReported ? OptionalDouble.of(costUsd.doubleValue()) : OptionalDouble.empty();
        return new Usage(cost, inputTokens, outputTokens, turns, estimated);
    }
}
