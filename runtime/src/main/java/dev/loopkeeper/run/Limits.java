package dev.loopkeeper.run;

import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The limits in force: the manifest's, as resumes changed them.
 *
 * @param maxIterations by phase, where changed
 * @param maxAttempts by phase, where changed
 */
public record Limits(
        Budget budget,
        StopConditionLimits stopConditions,
        Map<String, Integer> maxIterations,
        Map<String, Integer> maxAttempts) {

    static Limits of(Manifest manifest) {
        return new Limits(manifest.budget(), manifest.retry().stopConditions(), Map.of(), Map.of());
    }

    /** The same with another circuit breaker. */
    Limits breakingAt(int launches) {
        return new Limits(budget, stopConditions.breakingAt(launches), maxIterations, maxAttempts);
    }

    public Limits changed(ResumeRequest request, String phase) {
        return new Limits(
                changedBudget(request),
                request.stopConditions().over(stopConditions),
                request.maxIterations().isPresent()
                        ? Copies.plus(
                                maxIterations, phase, request.maxIterations().getAsInt())
                        : maxIterations,
                request.maxAttempts().isPresent()
                        ? Copies.plus(maxAttempts, phase, request.maxAttempts().getAsInt())
                        : maxAttempts);
    }

    Limits withCircuitBreaker(int launches) {
        StopConditionLimits raised = new StopConditionLimits(
                stopConditions.maxRetryRate(),
                stopConditions.maxRejectRate(),
                stopConditions.maxConsecutiveFails(),
                launches,
                stopConditions.minAttempted());
        return new Limits(budget, raised, maxIterations, maxAttempts);
    }

    private Budget changedBudget(ResumeRequest request) {
        OptionalDouble cost = request.costUsd().isPresent() ? request.costUsd() : budget.costUsd();
        OptionalLong tokens = request.tokens().isPresent() ? request.tokens() : budget.tokens();
        OptionalLong turns = request.turns().isPresent() ? request.turns() : budget.turns();
        return new Budget(cost, tokens, turns, budget.warnAt());
    }
}
