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

/** Passes what happens to steps to their runs. Used from one context only. */
final class StepReports implements StepListener {
    private static final Logger LOG = LoggerFactory.getLogger(StepReports.class);

    private final RunActors actors;
    private final RunCapacity capacity;
    private final RuntimeEnd runtimeEnd;

    StepReports(RunActors actors, RunCapacity capacity, RuntimeEnd runtimeEnd) {
        this.actors = actors;
        this.capacity = capacity;
        this.runtimeEnd = runtimeEnd;
    }

    /** Builds the input that ends a run because of an internal error. */
    static RunInput.Broken broken(String failure) {
        return new RunInput.Broken(Instants.now(), "an internal error: " + failure);
    }

    private void deliver(String runId, RunInput input) {
        actors.loaded(runId).ifPresent(run -> run.deliver(input));
    }

    @Override
    public void used(String runId, String stepId, Usage usage) {
        deliver(runId, new RunInput.UsageSeen(Instants.now(), stepId, usage));
    }

    @Override
    public void does(String runId) {
        actors.loaded(runId).ifPresent(run -> actors.publish(run.state()));
    }

    @Override
    public void retries(String runId, String stepId, OwnRetry retry) {
        deliver(runId, new RunInput.AgentRetries(Instants.now(), stepId, retry));
    }

    @Override
    public void truncated(String runId, String stepId) {
        String message = "the agent of " + stepId
                + " truncated its own log: what it cut is lost, and reading began again at the start of the file";
        deliver(runId, new RunInput.Remark(Instants.now(), "log-truncated", message));
    }

    @Override
    public void signalled(String runId, String stepId, Signal signal) {
        deliver(runId, new RunInput.SignalSeen(Instants.now(), stepId, signal));
    }

    @Override
    public void failed(String runId, String stepId, Throwable failure) {
        LOG.error("run {}: step {} cannot be supervised", runId, stepId, failure);
        failed(runId, failure.toString());
    }

    @Override
    public void failed(String runId, String failure) {
        deliver(runId, broken(failure));
    }

    @Override
    public WorkspaceRules.StepChanges changesAfter(String runId, String stepId, StepOutcome outcome) {
        return actors.loaded(runId)
                .map(run -> WorkspaceRules.after(run.state(), stepId, outcome))
                .orElse(WorkspaceRules.StepChanges.UNUSED);
    }

    @Override
    public void ended(String runId, String stepId, StepOutcome outcome) {
        // While draining, step ends are left to the next runtime, which finds them recorded. Exceptions are runs that
        // are being stopped, or whose stop is not durable yet.
        actors.loaded(runId)
                .filter(run -> !capacity.isClosed()
                        || run.state().condition() instanceof Condition.Stopping
                        || runtimeEnd.isAwaited(runId))
                .ifPresent(run -> run.deliver(new RunInput.StepEnded(Instants.now(), stepId, outcome)));
    }
}
