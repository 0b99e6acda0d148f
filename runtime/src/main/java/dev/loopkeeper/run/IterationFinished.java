package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.statistics.UnitOutcome;
import java.time.Instant;

/**
 * {@code iteration.finished}.
 *
 * @param outcome its outcome in the statistics
 * @param counts false when a question interrupted it: then it affects neither the limit nor the statistics
 * @param fingerprint equal for iterations with the same result
 * @param lookBack how many fingerprints the no-progress rule needs
 * @param optedOut whether a requested step was skipped
 */
@JsonTypeName("iteration.finished")
public record IterationFinished(
        String phase,
        int iteration,
        int attempt,
        Verdict verdict,
        UnitOutcome outcome,
        boolean counts,
        String fingerprint,
        int lookBack,
        boolean optedOut)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        LoopWork loop = (LoopWork) state.cursor().work();
        EarlierTries tries = state.cursor().tries(phase);
        int attempts = loop.current().map(Iteration::counted).orElse(attempt);
        Cursor cursor = launchesKept(state)
                .withTries(
                        phase,
                        loop.current()
                                .map(iteration -> tries.after(this, iteration, state.countsChanges()))
                                .orElse(tries));
        return state.withCursor(cursor)
                .withWork(loop.after(this))
                .counting(before ->
                        counts ? before.afterAttempt(outcome).plusEnded(outcome, attempts) : before.plusUnits(-1));
    }

    @Override
    public String text() {
        return "iteration " + iteration + " of " + phase
                + (counts ? ": " + verdict.wire() : " was interrupted by a question");
    }

    /** Forgets launches of the ended iteration, since its number is never used again. */
    private Cursor launchesKept(RunState state) {
        String prefix = phase + "." + iteration + ".";
        return state.cursor().withoutLaunches(stem -> stem.startsWith(prefix));
    }
}
