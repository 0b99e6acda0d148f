package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.IterationResult;
import dev.loopkeeper.run.progress.LoopWork;
import java.time.Instant;

/** {@code iteration.finished}. */
@JsonTypeName("iteration.finished")
public record IterationFinished(
        String phase,
        int iteration,
        int attempt,
        @JsonUnwrapped IterationResult result) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        LoopWork loop = (LoopWork) state.cursor().work();
        EarlierTries tries = state.cursor().tries(phase);
        int attempts = loop.current().map(Iteration::counted).orElse(attempt);
        EarlierTries listed = loop.current()
                .map(iteration -> tries.after(result, iteration, state.countsChanges()))
                .orElse(tries);
        EarlierTries counted = result.counts()
                ? listed.rated(result.verdict(), state.phase().orElseThrow(), state.manifest())
                : listed;
        Cursor cursor = launchesKept(state).withTries(phase, counted);
        return state.withCursor(cursor)
                .withWork(loop.after(iteration, result))
                .counting(before -> result.counts()
                        ? before.afterAttempt(result.outcome()).plusEnded(result.outcome(), attempts)
                        : before.plusUnits(-1));
    }

    @Override
    public String text() {
        return "iteration " + iteration + " of " + phase
                + (result.counts() ? ": " + result.verdict().wire() : " was interrupted by a question");
    }

    /** Forgets launches of the ended iteration, since its number is never used again. */
    private Cursor launchesKept(RunState state) {
        String prefix = phase + "." + iteration + ".";
        return state.cursor().withoutLaunches(stem -> stem.startsWith(prefix));
    }
}
