package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;

/** Is told what happens to steps. */
interface StepListener {
    /** A running step has used so much in all. */
    void used(String runId, String stepId, Usage usage);

    /** A step of this run does something else now. */
    void does(String runId);

    /** The agent of a running step tries again by itself. */
    void retries(String runId, String stepId, OwnRetry retry);

    /** The agent of this step truncated its own log. */
    void truncated(String runId, String stepId);

    /** A running step's signal file holds this. */
    void signalled(String runId, String stepId, Signal signal);

    /** A flaw of ours: this step cannot be looked after; it is ended, and so must be its run. */
    void flawed(String runId, String stepId, Throwable flaw);

    /** The same, where it was logged by whoever met it. */
    void flawed(String runId, String flaw);

    /** As {@link #flawed(String, String, Throwable)}, once for a step: nothing more is looked at before its end. */
    default void flawed(OpenedStep step, Throwable flaw) {
        if (step.beginFlaw()) {
            flawed(step.spec().runId(), step.spec().stepId(), flaw);
        }
    }

    /** What is done with what this step changed now that it ended so. */
    WorkspaceRules.StepChanges changesAfter(String runId, String stepId, StepOutcome outcome);

    /** A step and all its processes are gone. */
    void ended(String runId, String stepId, StepOutcome outcome);
}
