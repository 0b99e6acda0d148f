package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code run.resumed}: a paused or ended run goes on.
 *
 * @param action what was chosen
 * @param by {@code operator}, or {@code timer} at a provider's reset time
 * @param newExecution whether the one before had ended
 * @param request what was asked for, limits included
 * @param allowance iterations that the present loop may now do; absent: as before
 * @param overridden what a forced resume lacked
 * @param consults the agent to run before going on
 * @param accepted the step whose missing signal a person accepts
 * @param effects what it changes, as it was decided; absent only until {@link #resolved}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonTypeName("run.resumed")
public record RunResumed(
        ResumeAction action,
        String by,
        boolean newExecution,
        ResumeRequest request,
        OptionalInt allowance,
        Optional<String> overridden,
        Optional<RunState.Aside> consults,
        Optional<Accepted> accepted,
        Optional<ResumeEffects> effects)
        implements RunEvent {

    /** Who resumes a run that goes on by itself. */
    public static final String TIMER = "timer";

    /** A place in the work, and what it comes to without its signal. */
    public record Accepted(StepPosition slot, StepSummary note) {}

    /** A new execution that is only to end, since the one before has its ending already. */
    public static RunResumed toEnd(String by) {
        return new RunResumed(
                ResumeAction.CONTINUE,
                by,
                true,
                ResumeRequest.PLAIN,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** With what it changes in this state. */
    public RunResumed resolved(RunState state) {
        return new RunResumed(
                action,
                by,
                newExecution,
                request,
                allowance,
                overridden,
                consults,
                accepted,
                Optional.of(ResumeEffects.of(state, this)));
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        RunState resumed =
                effects.orElseThrow().on(state).with(new Condition.Running()).withAside(consults);
        if (!newExecution) {
            return resumed;
        }
        Execution next = new Execution(state.executions().size() + 1, at, Optional.empty(), Optional.empty());
        return resumed.withExecutions(Copies.plus(state.executions(), next))
                .with(resumed.cursor().withGateRetries(Map.of()));
    }

    @Override
    public String text() {
        String forced = overridden
                .map(lacked -> ", forced although it lacked " + lacked)
                .orElse("");
        return "resumed by " + by + ": " + action.wire() + forced;
    }
}
