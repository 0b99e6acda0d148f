package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loopkeeper.step.Usage;
import java.math.BigDecimal;
import java.util.OptionalDouble;

/**
 * What steps used up, added up.
 *
 * @param costUsd sum of the known costs; exact, since sums of cents in binary drift
 * @param costKnown false as soon as a step used tokens or turns without telling its cost
 */
public record Spending(BigDecimal costUsd, long inputTokens, long outputTokens, long turns, boolean costKnown) {
    static final Spending NOTHING = new Spending(BigDecimal.ZERO, 0, 0, 0, true);

    Spending plus(Usage usage) {
        boolean used = usage.inputTokens().isPresent()
                || usage.outputTokens().isPresent()
                || usage.turns().isPresent();
        return new Spending(
                usage.costUsd().isPresent()
                        ? costUsd.add(BigDecimal.valueOf(usage.costUsd().getAsDouble()))
                        : costUsd,
                inputTokens + usage.inputTokens().orElse(0),
                outputTokens + usage.outputTokens().orElse(0),
                turns + usage.turns().orElse(0),
                costKnown && (usage.costUsd().isPresent() || !used));
    }

    /** Input and output together. */
    @JsonIgnore
    long tokens() {
        return inputTokens + outputTokens;
    }

    /** The same as a usage: cost is absent when nothing was told of it. */
    @JsonIgnore
    Usage asUsage() {
        OptionalDouble cost =
                costKnown || costUsd.signum() > 0 ? OptionalDouble.of(costUsd.doubleValue()) : OptionalDouble.empty();
        return new Usage(
                cost,
                java.util.OptionalLong.of(inputTokens),
                java.util.OptionalLong.of(outputTokens),
                java.util.OptionalLong.of(turns));
    }
}
