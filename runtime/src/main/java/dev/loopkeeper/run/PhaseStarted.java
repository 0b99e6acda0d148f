package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.statistics.RunStatistics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code phase.started}.
 *
 * @param kind {@code task}, {@code loop}, {@code each} or {@code gate}
 * @param index index in the manifest, from 0
 * @param items read from the phase's file; absent when the manifest lists them
 * @param circuitBreaker the default for this number of items, if it exceeds the current value
 */
@JsonTypeName("phase.started")
public record PhaseStarted(
        String phase,
        String kind,
        int index,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<ItemSpec>> items,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalInt circuitBreaker)
        implements RunEvent {
    /** A phase without items, or with items in the manifest. */
    public PhaseStarted(String phase, String kind, int index) {
        this(phase, kind, index, Optional.empty(), OptionalInt.empty());
    }

    @Override
    public RunState apply(RunState before, Instant at) {
        RunState state = withItems(before);
        PhaseSpec spec = state.manifest().phase(index);
        RunState begun = state.withCursor(state.cursor().inPhase(index, freshWork(state, spec)));
        return spec instanceof EachPhase each
                ? begun.counting(counts -> counted(counts, each, earlier(state, each)))
                : begun;
    }

    /** Items are the same units in each pass through the phase, so an earlier pass no longer counts. */
    private static RunStatistics counted(RunStatistics counts, EachPhase each, Optional<EachWork> earlier) {
        int more =
                each.items().size() - earlier.map(work -> work.items().size()).orElse(0);
        return earlier.map(work -> work.takenBack(counts, item -> true))
                .orElse(counts)
                .plusUnits(more);
    }

    private static Optional<EachWork> earlier(RunState state, EachPhase each) {
        return state.cursor().pastItems(each.name());
    }

    private RunState withItems(RunState state) {
        if (items.isEmpty()) {
            return state;
        }
        EachPhase each = (EachPhase) state.manifest().phase(index);
        RunState known = state.withPlan(state.plan().with(state.manifest().withPhase(index, each.having(items.get()))));
        return circuitBreaker.isEmpty()
                ? known
                : known.withLimits(known.limits().breakingAt(circuitBreaker.getAsInt()));
    }

    @Override
    public String text() {
        return "phase " + phase + " (" + kind + ")"
                + items.map(list -> ", " + list.size() + " items").orElse("");
    }

    private static Work freshWork(RunState state, PhaseSpec spec) {
        Limits limits = state.limits();
        if (spec instanceof LoopPhase loop) {
            int allowance = limits.maxIterations().getOrDefault(loop.name(), loop.maxIterations());
            return LoopWork.begin(state.cursor().lastIteration(), allowance);
        }
        if (spec instanceof EachPhase each) {
            return EachWork.begin(
                    each, limits.maxAttempts().getOrDefault(each.name(), each.maxAttempts()), earlier(state, each));
        }
        return new Work.Single(false);
    }
}
