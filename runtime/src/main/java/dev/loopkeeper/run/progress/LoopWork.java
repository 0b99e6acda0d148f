package dev.loopkeeper.run.progress;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.run.step.StepSummary;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The progress of a loop.
 *
 * @param base number of the iteration before its first
 * @param done iterations that count against the limit
 * @param allowance permitted iterations; 0 = no limit
 * @param current the iteration in progress
 * @param recent the last iterations' fingerprints, oldest first, as many as the no-progress rule compares
 * @param optOuts iterations in a row that opted out of a requested step
 * @param first the workspace in which the loop's check passed before any iteration, until an iteration changes it; empty
 *     when the check counts, absent when it has not run before the first iteration
 */
@RecordBuilder
public record LoopWork(
        int base,
        int done,
        int allowance,
        Optional<Iteration> current,
        List<Fingerprint> recent,
        int optOuts,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> first)
        implements Work, LoopWorkBuilder.With {
    /** The opt-out in a row at which a requested step runs anyway. */
    public static final int FORCING_OPT_OUT = 3;

    /**
     * An ended iteration for the no-progress rule.
     *
     * @param text equal for iterations with the same result
     */
    public record Fingerprint(int iteration, String verdict, String text) {}

    public static LoopWork begin(int base, int allowance) {
        return new LoopWork(base, 0, allowance, Optional.empty(), List.of(), 0, Optional.empty());
    }

    public LoopWork withCurrent(Iteration iteration) {
        return withCurrent(Optional.of(iteration));
    }

    /** The current iteration ended. */
    public LoopWork after(int iteration, IterationResult result) {
        List<Fingerprint> kept = new ArrayList<>(recent);
        if (result.counts()) {
            kept.add(new Fingerprint(iteration, result.verdict().wire(), result.fingerprint()));
        }
        List<Fingerprint> last = List.copyOf(kept.subList(Math.max(0, kept.size() - result.lookBack()), kept.size()));
        int counted = result.counts() ? done + 1 : done;
        String now = current.flatMap(Iteration::workspace).orElseGet(() -> first.orElse(""));
        return new LoopWork(
                base,
                counted,
                allowance,
                Optional.empty(),
                last,
                result.optedOut() ? optOuts + 1 : 0,
                first.map(before -> before.equals(now) ? before : ""));
    }

    /** The check that runs before the first iteration ended. */
    public LoopWork checkedFirst(StepSummary check) {
        return withFirst(Optional.of(
                check.loop().workspace().filter(taken -> check.loop().matched()).orElse("")));
    }

    /** Whether a passed check completes the loop: not while the workspace is the one in which it passed already. */
    public boolean checkCounts() {
        return first.orElse("").isEmpty();
    }

    /** Iterations that count against the limit, including the one in progress. */
    public int counted() {
        return done + (current.isPresent() ? 1 : 0);
    }

    public boolean exhausted() {
        return allowance > 0 && done >= allowance;
    }
}
