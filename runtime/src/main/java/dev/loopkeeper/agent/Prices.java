package dev.loopkeeper.agent;

import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Price;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.Usage;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Estimates the cost of a step whose agent reports tokens and a model but no cost. */
record Prices(ProgramSpec program, Supplier<Policy> policy) {
    /** The usage of an agent that still runs: estimated only if it never reports a cost. */
    Usage soFar(Usage usage, List<ModelTokens> tokens) {
        return program.output().mayReportCost() ? usage : of(usage, tokens);
    }

    /** A reported cost stays, even 0; without a price for each model the cost stays unknown. */
    Usage of(Usage usage, List<ModelTokens> tokens) {
        if (usage.costUsd().isPresent() || tokens.isEmpty()) {
            return usage;
        }
        Policy current = policy.get();
        BigDecimal sum = BigDecimal.ZERO;
        for (ModelTokens of : tokens) {
            Optional<Price> price =
                    of.model().or(() -> CommandModel.of(program.command())).flatMap(current::priceOf);
            if (price.isEmpty()) {
                return usage;
            }
            sum = sum.add(price.get().of(of.input(), of.cached(), of.cacheWritten(), of.output()));
        }
        return usage.estimatedAt(OptionalDouble.of(sum.doubleValue()));
    }
}
