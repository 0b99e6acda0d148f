package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import java.time.Instant;

/**
 * {@code iteration.started}.
 *
 * @param iteration counted within the run from 1
 * @param attempt above 1 for a retry of the same number
 */
@JsonTypeName("iteration.started")
public record IterationStarted(String phase, int iteration, int attempt) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        LoopWork loop = (LoopWork) state.cursor().work();
        Ledger ledger = loop.current().map(state.ledger()::plusRolledBack).orElse(state.ledger());
        return state.withCursor(state.cursor().atIteration(iteration).withTries(phase, tries(state, loop)))
                .withWork(loop.withCurrent(Iteration.begin(iteration, attempt, lost(state, loop))))
                .withLedger(ledger)
                .counting(before -> attempt == 1 ? before.plusUnits(1) : before)
                .changingGit(git -> attempt == 1 ? git.marked() : git.undone());
    }

    /** An attempt that an interruption ended is repeated, but it is no retry of the agent's work. */
    private int lost(RunState state, LoopWork loop) {
        int before = loop.current().map(Iteration::lost).orElse(0);
        return state.cursor().tries(phase).isInterrupted() ? before + 1 : before;
    }

    private EarlierTries tries(RunState state, LoopWork loop) {
        EarlierTries before = state.cursor().tries(phase);
        return attempt == 1
                ? before.begun()
                : before.begunAgain(loop.current().stream().flatMap(before::found));
    }

    @Override
    public String text() {
        return "iteration " + iteration + " of " + phase + (attempt > 1 ? ", attempt " + attempt : "");
    }
}
