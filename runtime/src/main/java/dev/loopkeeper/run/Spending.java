package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loopkeeper.step.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What steps used up, added up. Each part is the sum of what was told; absent where nobody told any, never 0 for that.
 *
 * @param costUsd sum of the told costs; exact, since sums of cents in binary drift
 * @param costTold whether any step told its cost, be it 0; else {@code costUsd} is 0 and means nothing
 * @param costKnown false as soon as the cost of one step is unknown
 */
public record Spending(
        BigDecimal costUsd,
        boolean costTold,
        OptionalLong inputTokens,
        OptionalLong outputTokens,
        OptionalLong turns,
        boolean costKnown) {
    /** Billionths of a dollar: as fine as a sum can be that survives its way through JSON numbers. */
    private static final int SCALE = 9;

    /** More than this is no number of JSON's. */
    private static final BigDecimal MOST = BigDecimal.valueOf(Double.MAX_VALUE);

    /** The same sum is the same number, however it was written. */
    public Spending {
        BigDecimal rounded = costUsd.min(MOST).setScale(SCALE, RoundingMode.HALF_EVEN);
        costUsd = rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
        costTold = costTold || costUsd.signum() > 0; // snapshots of before this was noted
    }

    static final Spending NOTHING = new Spending(
            BigDecimal.ZERO, false, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), true);

    /** With what one more step used; who uses tokens or turns without telling the cost has one that is unknown. */
    public Spending plus(Usage usage) {
        return new Spending(
                usage.costUsd().isPresent()
                        ? costUsd.add(BigDecimal.valueOf(usage.costUsd().getAsDouble()))
                        : costUsd,
                costTold || usage.costUsd().isPresent(),
                sum(inputTokens, usage.inputTokens()),
                sum(outputTokens, usage.outputTokens()),
                sum(turns, usage.turns()),
                costKnown && !hidesCost(usage));
    }

    /** With a step whose cost nobody knows. */
    Spending plusUnknownCost() {
        return new Spending(costUsd, costTold, inputTokens, outputTokens, turns, false);
    }

    /** Whether this used something and does not tell what that cost. */
    public static boolean hidesCost(Usage usage) {
        boolean used = usage.inputTokens().isPresent()
                || usage.outputTokens().isPresent()
                || usage.turns().isPresent();
        return used && usage.costUsd().isEmpty();
    }

    private static OptionalLong sum(OptionalLong one, OptionalLong other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return OptionalLong.of(sum(one.getAsLong(), other.getAsLong()));
    }

    /** Both are 0 or more; what is too much to count must not come out as less than nothing. */
    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** Of two reports of the same step, what is known in either; they only grow, and may arrive in any order. */
    public static Usage most(Usage one, Usage other) {
        boolean cost = other.costUsd().isPresent()
                && other.costUsd().getAsDouble() > one.costUsd().orElse(-1);
        return new Usage(
                cost ? other.costUsd() : one.costUsd(),
                most(one.inputTokens(), other.inputTokens()),
                most(one.outputTokens(), other.outputTokens()),
                most(one.turns(), other.turns()));
    }

    private static OptionalLong most(OptionalLong one, OptionalLong other) {
        return other.isPresent() && other.getAsLong() > one.orElse(-1) ? other : one;
    }

    /** Input and output together, as far as they were told. */
    @JsonIgnore
    public OptionalLong tokens() {
        return sum(inputTokens, outputTokens);
    }

    /** The same as a usage. */
    @JsonIgnore
    public Usage asUsage() {
        OptionalDouble cost = costTold ? OptionalDouble.of(costUsd.doubleValue()) : OptionalDouble.empty();
        return new Usage(cost, inputTokens, outputTokens, turns);
    }
}
