package dev.loopkeeper.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A loop under way.
 *
 * @param base number of the iteration before its first
 * @param done iterations that count against the limit
 * @param allowance iterations that it may do; 0 = no limit
 * @param current the iteration under way
 * @param recent the last iterations' fingerprints, oldest first, as far as the no-progress rule looks back
 * @param optOuts iterations in a row in which a requested step was opted out of
 */
public record LoopWork(
        int base, int done, int allowance, Optional<Iteration> current, List<Fingerprint> recent, int optOuts)
        implements Work {

    /** The opt-out in a row at which a requested step runs all the same. */
    public static final int FORCING_OPT_OUT = 3;

    /**
     * An ended iteration as the no-progress rule sees it.
     *
     * @param text equal for iterations that are alike
     */
    public record Fingerprint(int iteration, String verdict, String text) {}

    static LoopWork begin(int base, int allowance) {
        return new LoopWork(base, 0, allowance, Optional.empty(), List.of(), 0);
    }

    public LoopWork withCurrent(Iteration iteration) {
        return new LoopWork(base, done, allowance, Optional.of(iteration), recent, optOuts);
    }

    LoopWork withAllowance(int iterations) {
        return new LoopWork(base, done, iterations, current, recent, optOuts);
    }

    LoopWork forgetting() {
        return new LoopWork(base, done, allowance, current, List.of(), optOuts);
    }

    LoopWork after(IterationFinished iteration) {
        List<Fingerprint> kept = new ArrayList<>(recent);
        if (iteration.counts()) {
            kept.add(new Fingerprint(iteration.iteration(), iteration.verdict().wire(), iteration.fingerprint()));
        }
        List<Fingerprint> last =
                List.copyOf(kept.subList(Math.max(0, kept.size() - iteration.lookBack()), kept.size()));
        int streak = iteration.optedOut() ? optOuts + 1 : 0;
        return new LoopWork(base, done + (iteration.counts() ? 1 : 0), allowance, Optional.empty(), last, streak);
    }

    /** Iterations that count for the limit, the one under way included. */
    public int counted() {
        return done + (current.isPresent() ? 1 : 0);
    }

    public boolean exhausted() {
        return allowance > 0 && done >= allowance;
    }
}
