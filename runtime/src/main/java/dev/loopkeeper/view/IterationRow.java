package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.termination.PauseReason;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * An attempt of an iteration, reduced for charts.
 *
 * @param sequence of its first event; the key of pages
 * @param execution that began it, from 1
 * @param iteration from 1, counted within the run
 * @param attempt above 1 for a retry of the same number
 * @param verdict of the iteration, or of its last step until it has one, e.g. {@code PROGRESS}
 * @param concern its last concern or question for a person, one line
 * @param paused reason of the last pause in it
 * @param endedAt absent until it ends
 * @param costUsd US dollars of its steps, as far as reported; absent when none was reported
 * @param estimated whether the cost of a step is an estimate
 * @param tokens input and output, as far as reported; absent when none was reported
 * @param git commits of its steps in the run's worktree; absent without commits
 * @param steps in the order of their start
 */
@RecordBuilder
public record IterationRow(
        long sequence,
        int execution,
        String phase,
        int iteration,
        int attempt,
        Optional<String> verdict,
        Optional<String> concern,
        Optional<PauseReason> paused,
        Instant startedAt,
        Optional<Instant> endedAt,
        OptionalDouble costUsd,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean estimated,
        OptionalLong tokens,
        Optional<Committed> git,
        List<StepBar> steps)
        implements IterationRowBuilder.With {
    /** A begun iteration. */
    public static IterationRow begun(long sequence, int execution, IterationStarted started, Instant at) {
        return IterationRowBuilder.builder()
                .sequence(sequence)
                .execution(execution)
                .phase(started.phase())
                .iteration(started.iteration())
                .attempt(started.attempt())
                .startedAt(at)
                .steps(List.of())
                .build();
    }

    /**
     * The commits of its steps, summed: a file that two steps changed counts twice. The net difference is between the
     * two commits.
     *
     * @param from full hash of the commit at its start
     * @param head full hash of the newest commit
     * @param commits number of commits, one for each step with changes
     */
    public record Committed(String from, String head, int commits, int files, long insertions, long deletions) {}

    /**
     * A step of the iteration.
     *
     * @param escalatedFrom the agent that the manifest names at its position, where another one took over
     * @param endedAt absent until it ends
     */
    public record StepBar(
            String stepId,
            String agent,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> escalatedFrom,
            Step.Status status,
            Instant startedAt,
            Optional<Instant> endedAt) {
        /** Returns the step after its end. */
        public StepBar ended(Step.Status end, Instant at) {
            return new StepBar(stepId, agent, escalatedFrom, end, startedAt, Optional.of(at));
        }
    }
}
