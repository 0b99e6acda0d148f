package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code phase.started}.
 *
 * @param kind {@code task}, {@code loop}, {@code each} or {@code gate}
 * @param index place in the manifest, from 0
 */
@JsonTypeName("phase.started")
public record PhaseStarted(String phase, String kind, int index) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        PhaseSpec spec = state.plan().manifest().phase(index);
        RunState begun = state.with(state.cursor().inPhase(index, freshWork(state, spec)));
        if (spec instanceof EachPhase each) {
            Ledger ledger = state.ledger();
            return begun.with(ledger.withStatistics(
                    ledger.statistics().plusUnits(each.items().size())));
        }
        return begun;
    }

    @Override
    public String text() {
        return "phase " + phase + " (" + kind + ")";
    }

    private static Work freshWork(RunState state, PhaseSpec spec) {
        Limits limits = state.limits();
        if (spec instanceof LoopPhase loop) {
            int allowance = limits.maxIterations().getOrDefault(loop.name(), loop.maxIterations());
            return LoopWork.begin(state.cursor().lastIteration(), allowance);
        }
        if (spec instanceof EachPhase each) {
            return EachWork.begin(
                    each,
                    limits.maxAttempts().getOrDefault(each.name(), each.maxAttempts()),
                    Optional.ofNullable(state.cursor().pastItems().get(each.name())));
        }
        return new Work.Single(false);
    }
}
