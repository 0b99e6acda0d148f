package dev.loopkeeper.view;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.step.StepResult;
import dev.loopkeeper.step.StepStatus;
import java.time.Instant;
import java.util.Locale;
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
 * @param attempt from 1
 * @param pid of its process; absent without a process
 * @param result absent until it has ended
 */
public record Step(
        String stepId,
        String runId,
        int execution,
        String phase,
        Optional<Integer> iteration,
        Optional<String> item,
        String agent,
        int attempt,
        Status status,
        OptionalLong pid,
        Instant startedAt,
        Optional<Instant> endedAt,
        Optional<StepResult> result) {

    /** The status of a step. */
    public enum Status implements WireName {
        RUNNING,
        /** The step ended with a valid result. */
        COMPLETED,
        /** The step was stopped. */
        CANCELLED,
        /** The step ended without a valid result. */
        ERROR;

        @Override
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The status after this end. */
        public static Status of(StepStatus end) {
            return switch (end) {
                case COMPLETED -> COMPLETED;
                case CANCELLED -> CANCELLED;
                case ERROR -> ERROR;
            };
        }
    }

    /** Returns the step after its end. */
    public Step ended(StepResult outcome, OptionalLong process, Instant at) {
        return new Step(
                stepId,
                runId,
                execution,
                phase,
                iteration,
                item,
                agent,
                attempt,
                Status.of(outcome.status()),
                process,
                startedAt,
                Optional.of(at),
                Optional.of(outcome));
    }

    /** Returns the step with its process. */
    public Step in(OptionalLong process) {
        return new Step(
                stepId, runId, execution, phase, iteration, item, agent, attempt, status, process, startedAt, endedAt,
                result);
    }
}
