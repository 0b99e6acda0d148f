package dev.loopkeeper.manifest;

import java.util.List;

/**
 * A phase that repeats its steps until {@code until} holds. For what goes with a new key see
 * {@code docs/architecture.md}.
 *
 * @param maxIterations iterations of this loop; 0 = no limit; default 20
 * @param steps in order, at least one
 * @param pauseEvery pause for a person every so many iterations; 0 = never
 * @param noProgress so many iterations alike end the loop; 0 = off; default 3 where {@code until} is the signal, else 0
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
    @Override
    public String kind() {
        return "loop";
    }
}
