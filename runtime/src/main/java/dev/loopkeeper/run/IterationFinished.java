package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.statistics.UnitOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
                                .map(iteration -> tries.after(verdict, counts, iteration, state.countsChanges()))
                                .orElse(tries));
        return state.withCursor(cursor)
                .withWork(ended(loop))
                .counting(before ->
                        counts ? before.afterAttempt(outcome).plusEnded(outcome, attempts) : before.plusUnits(-1));
    }

    private LoopWork ended(LoopWork loop) {
        List<LoopWork.Fingerprint> kept = new ArrayList<>(loop.recent());
        if (counts) {
            kept.add(new LoopWork.Fingerprint(iteration, verdict.wire(), fingerprint));
        }
        List<LoopWork.Fingerprint> last = List.copyOf(kept.subList(Math.max(0, kept.size() - lookBack), kept.size()));
        int streak = optedOut ? loop.optOuts() + 1 : 0;
        return new LoopWork(
                loop.base(), loop.done() + (counts ? 1 : 0), loop.allowance(), Optional.empty(), last, streak);
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
