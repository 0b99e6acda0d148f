package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.ResumeAction;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * {@code run.resumed}: a paused or ended run continues.
 *
 * @param action the chosen action
 * @param by who requested it, as {@link Requester} says; {@code operator} if unknown, or {@code timer} at a provider's reset time
 * @param newExecution whether the previous execution had ended
 * @param request the request, including limits
 * @param allowance iterations that the current loop may now run; absent: unchanged
 * @param overridden missing preconditions of a forced resume
 * @param consults the agent to consult before continuing
 * @param accepted the step whose missing signal a person accepts
 * @param effects the computed changes; absent only before {@link #resolved}
 * @param failure the cause of the pause, for the following launches
 */
@JsonTypeName("run.resumed")
@RecordBuilder
public record RunResumed(
        ResumeAction action,
        String by,
        boolean newExecution,
        ResumeRequest request,
        OptionalInt allowance,
        Optional<String> overridden,
        Optional<RunState.Consultation> consults,
        Optional<Accepted> accepted,
        Optional<ResumeEffects> effects,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Failure> failure)
        implements RunEvent, RunResumedBuilder.With {
    /** The origin of an automatic resume. */
    public static final String TIMER = "timer";

    /** A step's position, and its summary without a signal. */
    public record Accepted(@JsonProperty("slot") StepPosition position, StepSummary note) {}

    /** A new execution that ends immediately, since the previous one already has its ending. */
    public static RunResumed toEnd(String by) {
        return RunResumedBuilder.builder()
                .action(ResumeAction.CONTINUE)
                .by(by)
                .newExecution(true)
                .request(ResumeRequest.PLAIN)
                .build();
    }

    /** Computes the changes for this state. */
    public RunResumed resolved(RunState state) {
        return withEffects(Optional.of(ResumeEffects.of(state, this)));
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        RunState effective = effects.orElseThrow().on(request.on(state));
        RunState counted = request.resetStatistics()
                ? effective.withCursor(effective.cursor().withUncountedPastItems())
                : effective;
        RunState resumed = withFailure(counted, state)
                .withoutPastPause(at)
                .withCondition(new Condition.Running())
                .withConsultation(consults)
                .withOverflows(by.equals(TIMER) ? state.overflows() : Map.of());
        if (!newExecution) {
            return resumed;
        }
        Execution next = Execution.begin(state.executions().size() + 1, at, request.trace());
        return resumed.withExecutions(Copies.plus(state.executions(), next))
                .withCursor(resumed.cursor().withGateRetries(Map.of()));
    }

    private RunState withFailure(RunState resumed, RunState before) {
        Optional<StepPosition> position = accepted.map(Accepted::position)
                .or(() -> before.condition().held().flatMap(Pause::position));
        Optional<String> phase =
                position.map(StepPosition::phase).or(() -> before.phase().map(PhaseSpec::name));
        Optional<Failure> cause = failure.or(() -> accepted.map(Accepted::note).flatMap(StepSummary::failure));
        if (phase.isEmpty() || (failure.isEmpty() && accepted.isEmpty())) {
            return resumed;
        }
        Optional<String> item = position.flatMap(StepPosition::item);
        EarlierTries tries = resumed.tries(phase.get(), item);
        boolean ended = before.cursor().work() instanceof LoopWork loop
                && loop.current().isEmpty();
        Stream<Failure> found = ended ? tries.failure().stream() : Stream.empty();
        return resumed.withTries(phase.get(), item, tries.failing(Stream.concat(found, cause.stream())));
    }

    @Override
    public String text() {
        String forced = overridden
                .map(lacked -> ", forced although it lacked " + lacked)
                .orElse("");
        List<String> changes = request.changes();
        String manifest =
                changes.isEmpty() ? "" : ", with a changed manifest: " + OneLine.names(changes, OneLine.SUMMARY);
        return "resumed by " + by + ": " + action.wire() + forced + manifest;
    }
}
