package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.work.Instants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells runs what comes of their steps. Used from one context only. */
final class StepReports implements StepListener {
    private static final Logger LOG = LoggerFactory.getLogger(StepReports.class);

    private final RunActors actors;
    private final RunRoom room;
    private final RuntimeEnd runtimeEnd;

    StepReports(RunActors actors, RunRoom room, RuntimeEnd runtimeEnd) {
        this.actors = actors;
        this.room = room;
        this.runtimeEnd = runtimeEnd;
    }

    /** What a run is told where a flaw of ours keeps it from going on. */
    static RunInput.Broken broken(String flaw) {
        return new RunInput.Broken(Instants.now(), "an internal error: " + flaw);
    }

    private void tell(String runId, RunInput input) {
        actors.loaded(runId).ifPresent(run -> run.tell(input));
    }

    @Override
    public void used(String runId, String stepId, Usage usage) {
        tell(runId, new RunInput.UsageSeen(Instants.now(), stepId, usage));
    }

    @Override
    public void does(String runId) {
        actors.loaded(runId).ifPresent(run -> actors.publish(run.state()));
    }

    @Override
    public void retries(String runId, String stepId, OwnRetry retry) {
        tell(runId, new RunInput.AgentRetries(Instants.now(), stepId, retry));
    }

    @Override
    public void truncated(String runId, String stepId) {
        String message = "the agent of " + stepId
                + " truncated its own log: what it cut is lost, and reading began again at the start of the file";
        tell(runId, new RunInput.Remark(Instants.now(), "log-truncated", message));
    }

    @Override
    public void signalled(String runId, String stepId, Signal signal) {
        tell(runId, new RunInput.SignalSeen(Instants.now(), stepId, signal));
    }

    @Override
    public void flawed(String runId, String stepId, Throwable flaw) {
        LOG.error("run {}: step {} cannot be looked after", runId, stepId, flaw);
        flawed(runId, flaw.toString());
    }

    @Override
    public void flawed(String runId, String flaw) {
        tell(runId, broken(flaw));
    }

    @Override
    public WorkspaceRules.StepChanges changesAfter(String runId, String stepId, StepOutcome outcome) {
        return actors.loaded(runId)
                .map(run -> WorkspaceRules.after(run.state(), stepId, outcome))
                .orElse(WorkspaceRules.StepChanges.UNUSED);
    }

    @Override
    public void ended(String runId, String stepId, StepOutcome outcome) {
        // While draining, what ends by itself is left to the next runtime, which finds it recorded. Not where the run
        // is
        // being stopped, or its stop is yet to be durable.
        actors.loaded(runId)
                .filter(run -> !room.isClosed()
                        || run.state().condition() instanceof Condition.Stopping
                        || runtimeEnd.isAwaited(runId))
                .ifPresent(run -> run.tell(new RunInput.StepEnded(Instants.now(), stepId, outcome)));
    }
}
