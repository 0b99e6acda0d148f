package dev.loopkeeper.manifest;

import java.util.List;

/**
 * A phase that repeats its steps until {@code until} holds. A new key requires the steps in {@code
 * docs/architecture.md}.
 *
 * @param maxIterations iterations of this loop; 0 = no limit; default 20
 * @param steps in order, at least one
 * @param pauseEvery pause for a person after this number of iterations; 0 = never
 * @param noProgress ends the loop after this number of iterations with the same result; 0 = off; default 3 when {@code
 * until} is the signal, else 0
 */
public record LoopPhase(
        String name,
        int maxIterations,
        List<LoopStep> steps,
        Until until,
        OnStalled onStalled,
        int pauseEvery,
        int noProgress,
        boolean critical)
        implements PhaseSpec {
    public static final int NO_PROGRESS = 3;

    @Override
    public String kind() {
        return "loop";
    }

    @Override
    public List<String> agents() {
        return steps.stream().map(LoopStep::agent).toList();
    }
}
