package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
 * @param pastItems by phase, the items of earlier {@code each} phases
 * @param outcomes by phase, the last outcome
 * @param tries by phase, earlier results for later launches
 */
@RecordBuilder
public record Cursor(
        int phaseIndex,
        int lastIteration,
        Work work,
        Map<String, Integer> gateRetries,
        Map<String, Integer> launches,
        Optional<LastStep> last,
        Map<String, EachWork> pastItems,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, PhaseOutcome> outcomes,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, EarlierTries> tries)
        implements CursorBuilder.With {
    /** The last launched step. */
    public record LastStep(
            String stepId, @JsonProperty("slot") StepPosition position, int attempt) {}

    static final Cursor START =
            new Cursor(0, 0, new Work.None(), Map.of(), Map.of(), Optional.empty(), Map.of(), Map.of(), Map.of());

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

    /** The number of step ids that begin so, without their last part. */
    public int launches(String prefix) {
        return (int) launches.keySet().stream()
                .filter(stem -> stem.startsWith(prefix))
                .count();
    }

    Cursor withoutLaunches(Predicate<String> ended) {
        return withLaunches(SharedMap.of(launches).without(ended));
    }

    Cursor leaving(String phase, PhaseOutcome outcome) {
        Cursor left = withOutcomes(Copies.plus(outcomes, phase, outcome));
        return work instanceof EachWork each ? left.withPastItems(Copies.plus(pastItems, phase, each)) : left;
    }

    /** The items of an earlier {@code each} phase; absent before its first end. */
    public Optional<EachWork> pastItems(String phase) {
        return Optional.ofNullable(pastItems.get(phase));
    }

    /** Earlier results for later launches of this phase. */
    public EarlierTries tries(String phase) {
        return tries.getOrDefault(phase, EarlierTries.NONE);
    }

    Cursor withTries(String phase, EarlierTries changed) {
        return withTries(Copies.plus(tries, phase, changed));
    }

    /** After a reset of the statistics, which items of earlier phases no longer count in. */
    Cursor withUncountedPastItems() {
        Map<String, EachWork> uncounted = new LinkedHashMap<>();
        pastItems.forEach((phase, items) -> uncounted.put(phase, items.uncounted()));
        return withPastItems(Collections.unmodifiableMap(uncounted));
    }
}
