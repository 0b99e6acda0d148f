package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.LastVerdict;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.WorkspaceCommitted;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
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

    private final List<Row> rows = new ArrayList<>();

    /** Adds the next event. */
    public void add(long sequence, String type, JsonNode data, Instant at, int execution) {
        if (!TYPES.contains(type) || type.equals(LEFT)) {
            return;
        }
        RunEvent event = EventJson.read(type, data);
        if (event instanceof IterationStarted started) {
            rows.add(new Row(sequence, execution, started, at));
        } else if (!rows.isEmpty()) {
            rows.get(rows.size() - 1).add(event, at);
        }
    }

    /** The iterations so far, oldest first. */
    public List<IterationRow> rows() {
        return rows.stream().map(Row::view).toList();
    }

    /** An iteration under construction. */
    private static final class Row {
        private final long sequence;
        private final int execution;
        private final IterationStarted began;
        private final Instant startedAt;
        private final Map<String, IterationRow.StepBar> steps = new LinkedHashMap<>();
        private Optional<String> verdict = Optional.empty();
        private Optional<String> concern = Optional.empty();
        private Optional<PauseReason> paused = Optional.empty();
        private Optional<Instant> endedAt = Optional.empty();
        private OptionalDouble costUsd = OptionalDouble.empty();
        private OptionalLong tokens = OptionalLong.empty();
        private Optional<IterationRow.Committed> git = Optional.empty();

        Row(long sequence, int execution, IterationStarted began, Instant startedAt) {
            this.sequence = sequence;
            this.execution = execution;
            this.began = began;
            this.startedAt = startedAt;
        }

        void add(RunEvent event, Instant at) {
            if (event instanceof StepStarted step && isSame(step.iteration())) {
                steps.put(
                        step.stepId(),
                        new IterationRow.StepBar(
                                step.stepId(), step.agent(), Step.Status.RUNNING, at, Optional.empty()));
            } else if (event instanceof StepFinished step && isSame(step.iteration())) {
                ended(step, at);
            } else if (event instanceof WorkspaceCommitted committed && steps.containsKey(committed.stepId())) {
                git = Optional.of(sum(committed));
            } else if (event instanceof IterationFinished finished && finished.iteration() == began.iteration()) {
                verdict = Optional.of(finished.verdict().wire());
                endedAt = Optional.of(at);
            } else if (event instanceof RunPaused pause && (endedAt.isEmpty() || isCause(pause))) {
                paused = Optional.of(pause.reason());
            }
        }

        /** A question or an anomaly ends the iteration first; a pause by an operator has no step. */
        private boolean isCause(RunPaused pause) {
            return pause.pause().stepId().filter(steps::containsKey).isPresent();
        }

        private boolean isSame(Optional<Integer> iteration) {
            return iteration.filter(number -> number == began.iteration()).isPresent();
        }

        private void ended(StepFinished step, Instant at) {
            steps.computeIfPresent(
                    step.stepId(),
                    (id, bar) -> new IterationRow.StepBar(
                            id, bar.agent(), Step.Status.of(step.result().status()), bar.startedAt(), Optional.of(at)));
            LastVerdict.of(step.note(), at).ifPresent(last -> {
                verdict = Optional.of(last.verdict());
                concern = last.concern().map(BoundedText::beginning).or(() -> concern);
            });
            step.result().usage().ifPresent(this::count);
        }

        private IterationRow.Committed sum(WorkspaceCommitted next) {
            return new IterationRow.Committed(
                    git.map(IterationRow.Committed::from).orElse(next.from()),
                    next.commit(),
                    git.map(IterationRow.Committed::commits).orElse(0) + 1,
                    git.map(IterationRow.Committed::files).orElse(0)
                            + next.changes().files(),
                    git.map(IterationRow.Committed::insertions).orElse(0L)
                            + next.changes().insertions(),
                    git.map(IterationRow.Committed::deletions).orElse(0L)
                            + next.changes().deletions());
        }

        private void count(Usage used) {
            used.costUsd().ifPresent(cost -> costUsd = OptionalDouble.of(Usage.finite(costUsd.orElse(0) + cost)));
            tokens = Usage.sum(tokens, used.tokens());
        }

        IterationRow view() {
            return new IterationRow(
                    sequence,
                    execution,
                    began.phase(),
                    began.iteration(),
                    began.attempt(),
                    verdict,
                    concern,
                    paused,
                    startedAt,
                    endedAt,
                    costUsd,
                    tokens,
                    git,
                    List.copyOf(steps.values()));
        }
    }
}
