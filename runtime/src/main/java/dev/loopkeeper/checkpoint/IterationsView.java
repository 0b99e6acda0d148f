package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.WorkspaceCommitted;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Builds the view of a run's iterations from its events in order; ignores events between two iterations. */
public final class IterationsView {
    /** The event that begins an iteration. */
    public static final String BEGIN = "iteration.started";

    /** The event after which no iteration of the same phase follows. */
    public static final String LEFT = "phase.finished";

    /** The types of events that are read. */
    public static final Set<String> TYPES = Set.of(
            BEGIN, LEFT, "iteration.finished", "step.started", "step.finished", "run.paused", "workspace.committed");

    private final List<IterationRow> rows = new ArrayList<>();

    /** Adds the next event. */
    public void add(long sequence, String type, JsonNode data, Instant at, int execution) {
        if (!TYPES.contains(type) || type.equals(LEFT)) {
            return;
        }
        RunEvent event = EventJson.read(type, data);
        if (event instanceof IterationStarted started) {
            rows.add(IterationRow.begun(sequence, execution, started, at));
        } else if (!rows.isEmpty()) {
            int last = rows.size() - 1;
            rows.set(last, after(rows.get(last), event, at));
        }
    }

    /** The iterations so far, oldest first. */
    public List<IterationRow> rows() {
        return List.copyOf(rows);
    }

    private static IterationRow after(IterationRow row, RunEvent event, Instant at) {
        if (event instanceof StepStarted step && isOf(row, step.iteration())) {
            return row.withSteps(Copies.plus(
                    row.steps(),
                    new IterationRow.StepBar(
                            step.stepId(),
                            step.agent(),
                            step.escalatedFrom(),
                            Step.Status.RUNNING,
                            at,
                            Optional.empty())));
        } else if (event instanceof StepFinished step && isOf(row, step.iteration())) {
            return ended(row, step, at);
        } else if (event instanceof WorkspaceCommitted committed && has(row, committed.stepId())) {
            return row.withGit(Optional.of(sum(row.git(), committed)));
        } else if (event instanceof IterationFinished finished && finished.iteration() == row.iteration()) {
            return row.withVerdict(Optional.of(finished.result().verdict().wire()))
                    .withEndedAt(Optional.of(at));
        } else if (event instanceof RunPaused pause && (row.endedAt().isEmpty() || isCause(row, pause))) {
            return row.withPaused(Optional.of(pause.reason()));
        }
        return row;
    }

    private static boolean isOf(IterationRow row, Optional<Integer> iteration) {
        return iteration.filter(number -> number == row.iteration()).isPresent();
    }

    private static boolean has(IterationRow row, String stepId) {
        return row.steps().stream().anyMatch(step -> step.stepId().equals(stepId));
    }

    /** A question or an anomaly ends the iteration first; a pause by an operator has no step. */
    private static boolean isCause(IterationRow row, RunPaused pause) {
        return pause.pause().stepId().filter(stepId -> has(row, stepId)).isPresent();
    }

    private static IterationRow ended(IterationRow row, StepFinished step, Instant at) {
        List<IterationRow.StepBar> steps = row.steps().stream()
                .map(bar -> bar.stepId().equals(step.stepId())
                        ? bar.ended(Step.Status.of(step.result().status()), at)
                        : bar)
                .toList();
        Optional<LastVerdict> rating = LastVerdict.of(step.note(), at);
        Usage used = step.result().usage().orElse(Usage.UNKNOWN);
        return row.withSteps(steps)
                .withVerdict(rating.map(LastVerdict::verdict).or(row::verdict))
                .withConcern(rating.flatMap(LastVerdict::concern)
                        .map(BoundedText::beginning)
                        .or(row::concern))
                .withCostUsd(sum(row.costUsd(), used.costUsd()))
                .withEstimated(row.estimated() || used.estimated())
                .withTokens(Usage.sum(row.tokens(), used.tokens()));
    }

    private static OptionalDouble sum(OptionalDouble before, OptionalDouble cost) {
        return cost.isEmpty() ? before : OptionalDouble.of(Usage.finite(before.orElse(0) + cost.getAsDouble()));
    }

    private static IterationRow.Committed sum(Optional<IterationRow.Committed> before, WorkspaceCommitted next) {
        Changed more = next.changes();
        return before.map(git -> new IterationRow.Committed(
                        git.from(),
                        next.commit(),
                        git.commits() + 1,
                        git.files() + more.files(),
                        git.insertions() + more.insertions(),
                        git.deletions() + more.deletions()))
                .orElseGet(() -> new IterationRow.Committed(
                        next.from(), next.commit(), 1, more.files(), more.insertions(), more.deletions()));
    }
}
