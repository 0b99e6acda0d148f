package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.collection.SharedMap;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.StepPosition;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The position of a run in its plan.
 *
 * @param phaseIndex from 0; the number of phases when all are complete
 * @param lastIteration the highest iteration number so far, 0 before the first
 * @param work progress of the current phase
 * @param gateRetries by gate, number of reruns of the previous phase in this execution
 * @param launches by step id without its last part, number of launches
 * @param last the last launched step
 * @param kept what the run keeps of its phases
 */
@RecordBuilder
public record Cursor(
        int phaseIndex,
        int lastIteration,
        Work work,
        Map<String, Integer> gateRetries,
        Map<String, Integer> launches,
        Optional<LastStep> last,
        @JsonUnwrapped Kept kept)
        implements CursorBuilder.With {
    /** The last launched step. */
    public record LastStep(
            String stepId, @JsonProperty("slot") StepPosition position, int attempt) {}

    /**
     * What a run keeps of its phases, by phase.
     *
     * @param pastItems the items of earlier {@code each} phases
     * @param outcomes the last outcome
     * @param tries earlier results for later launches
     */
    @RecordBuilder
    public record Kept(
            Map<String, EachWork> pastItems,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, PhaseOutcome> outcomes,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, EarlierTries> tries)
            implements CursorKeptBuilder.With {
        private Kept leaving(String phase, Work work, PhaseOutcome outcome) {
            Kept left = withOutcomes(Copies.plus(outcomes, phase, outcome));
            return work instanceof EachWork each ? left.withPastItems(Copies.plus(pastItems, phase, each)) : left;
        }

        private Kept uncounted() {
            Map<String, EachWork> uncounted = new LinkedHashMap<>();
            pastItems.forEach((phase, items) -> uncounted.put(phase, items.uncounted()));
            return withPastItems(Collections.unmodifiableMap(uncounted));
        }
    }

    static final Cursor START = new Cursor(
            0, 0, new Work.None(), Map.of(), Map.of(), Optional.empty(), new Kept(Map.of(), Map.of(), Map.of()));

    Cursor inPhase(int index, Work fresh) {
        return withPhaseIndex(index).withWork(fresh);
    }

    Cursor atIteration(int number) {
        return withLastIteration(Math.max(lastIteration, number));
    }

    Cursor launched(String stem, LastStep step) {
        Map<String, Integer> counted = SharedMap.of(launches).plus(stem, launches.getOrDefault(stem, 0) + 1);
        return withLaunches(counted).withLast(Optional.of(step));
    }

    Cursor withoutLaunches(Predicate<String> ended) {
        Map<String, Integer> kept = SharedMap.of(launches).without(ended);
        return withLaunches(kept);
    }

    Cursor leaving(String phase, PhaseOutcome outcome) {
        return withKept(kept.leaving(phase, work, outcome));
    }

    /** The items of an earlier {@code each} phase; absent before its first end. */
    public Optional<EachWork> pastItems(String phase) {
        return Optional.ofNullable(kept.pastItems().get(phase));
    }

    /** Earlier results for later launches of this phase. */
    public EarlierTries tries(String phase) {
        return kept.tries().getOrDefault(phase, EarlierTries.NONE);
    }

    Cursor withTries(String phase, EarlierTries changed) {
        return withKept(kept.withTries(Copies.plus(kept.tries(), phase, changed)));
    }

    /** After a reset of the statistics, which items of earlier phases no longer count in. */
    Cursor withUncountedPastItems() {
        return withKept(kept.uncounted());
    }
}
