package dev.loopkeeper.run;

import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The current limits: those of the manifest, as changed by resumes.
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

    /** Returns a copy with another circuit breaker. */
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

    /** Applies a changed manifest: changed limits take its values, unchanged limits keep those of resumes. */
    Limits changed(Manifest before, Manifest after) {
        return new Limits(
                budget(before.budget(), after.budget()),
                stopConditions(before.retry().stopConditions(), after.retry().stopConditions()),
                unchanged(maxIterations, before, after, Limits::iterations),
                unchanged(maxAttempts, before, after, Limits::attempts));
    }

    private Budget budget(Budget before, Budget after) {
        return new Budget(
                kept(before.costUsd(), after.costUsd(), budget.costUsd()),
                kept(before.tokens(), after.tokens(), budget.tokens()),
                kept(before.turns(), after.turns(), budget.turns()),
                kept(before.time(), after.time(), budget.time()),
                after.warnAt());
    }

    private StopConditionLimits stopConditions(StopConditionLimits before, StopConditionLimits after) {
        return new StopConditionLimits(
                kept(before.maxRetryRate(), after.maxRetryRate(), stopConditions.maxRetryRate()),
                kept(before.maxRejectRate(), after.maxRejectRate(), stopConditions.maxRejectRate()),
                kept(before.maxConsecutiveFails(), after.maxConsecutiveFails(), stopConditions.maxConsecutiveFails()),
                kept(before.circuitBreaker(), after.circuitBreaker(), stopConditions.circuitBreaker()),
                kept(before.minAttempted(), after.minAttempted(), stopConditions.minAttempted()));
    }

    private static <T> T kept(T before, T after, T inForce) {
        return before.equals(after) ? inForce : after;
    }

    private static Map<String, Integer> unchanged(
            Map<String, Integer> byPhase, Manifest before, Manifest after, Function<PhaseSpec, Integer> limit) {
        Map<String, Integer> left = new LinkedHashMap<>(byPhase);
        left.keySet().removeIf(phase -> !limitOf(before, phase, limit).equals(limitOf(after, phase, limit)));
        return Collections.unmodifiableMap(left);
    }

    private static Optional<Integer> limitOf(Manifest manifest, String phase, Function<PhaseSpec, Integer> limit) {
        return manifest.phases().stream()
                .filter(spec -> spec.name().equals(phase))
                .findFirst()
                .map(limit);
    }

    private static int iterations(PhaseSpec phase) {
        return phase instanceof LoopPhase loop ? loop.maxIterations() : 0;
    }

    private static int attempts(PhaseSpec phase) {
        return phase instanceof EachPhase each ? each.maxAttempts() : 0;
    }

    private Budget changedBudget(ResumeRequest request) {
        OptionalDouble cost = request.costUsd().isPresent() ? request.costUsd() : budget.costUsd();
        OptionalLong tokens = request.tokens().isPresent() ? request.tokens() : budget.tokens();
        OptionalLong turns = request.turns().isPresent() ? request.turns() : budget.turns();
        return new Budget(cost, tokens, turns, request.time().or(budget::time), budget.warnAt());
    }
}
