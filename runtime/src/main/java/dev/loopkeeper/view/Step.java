package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An agent process launched for a phase, iteration, item and attempt, as {@code GET /runs/{id}/steps} lists it.
 *
 * @param stepId e.g. {@code build.3.dev.1}
 * @param execution that launched it, from 1
 * @param iteration from 1, counted within the run; only in loops
 * @param item only in phases of items
 * @param agent name in the manifest
 * @param escalatedFrom the agent that the manifest names at its position, where another one took over
 * @param attempt from 1
 * @param pid of its process; absent without a process
 * @param result absent until it has ended
 * @param verdict its rating of the work, e.g. {@code PROGRESS}, {@code rejected} or {@code FAILED}; absent without one
 * @param concern its concern or question for a person, one line
 */
@RecordBuilder
public record Step(
        String stepId,
        String runId,
        int execution,
        String phase,
        Optional<Integer> iteration,
        Optional<String> item,
        String agent,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> escalatedFrom,
        int attempt,
        Status status,
        OptionalLong pid,
        Instant startedAt,
        Optional<Instant> endedAt,
        Optional<StepResult> result,
        Optional<String> verdict,
        Optional<String> concern)
        implements StepBuilder.With {
    /** The status of a step. */
    public enum Status implements WireName {
        RUNNING,
        /** The step ended with a valid result. */
        COMPLETED,
        /** The step was stopped. */
        CANCELLED,
        /** The step ended without a valid result. */
        ERROR;

        /** The status after this end. */
        public static Status of(StepStatus end) {
            return valueOf(end.name());
        }
    }

    /** Returns the step after its end. */
    public Step ended(StepFinished end, Instant at) {
        Optional<LastVerdict> rating = LastVerdict.of(end.note(), at);
        return withStatus(Status.of(end.result().status()))
                .withPid(end.pid())
                .withEndedAt(Optional.of(at))
                .withResult(Optional.of(end.result()))
                .withVerdict(rating.map(LastVerdict::verdict))
                .withConcern(end.note().finding().flatMap(Finding::concern));
    }
}
