package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.work.Instants;

/** Passes what happens to steps to their runs. Used from one context only. */
final class StepReports implements StepListener {
    private final RunActors actors;
    private final RunCapacity capacity;
    private final RuntimeEnd runtimeEnd;

    StepReports(RunActors actors, RunCapacity capacity, RuntimeEnd runtimeEnd) {
        this.actors = actors;
        this.capacity = capacity;
        this.runtimeEnd = runtimeEnd;
    }

    @Override
    public void deliver(String runId, RunInput input) {
        actors.loaded(runId).ifPresent(run -> run.deliver(input));
    }

    @Override
    public void does(String runId) {
        actors.loaded(runId).ifPresent(run -> actors.publish(run.state()));
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
