package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.step.OwnRetry;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;

/** Receives what happens to steps. */
interface StepListener {
    /** A running step reports its total usage. */
    void used(String runId, String stepId, Usage usage);

    /** A step of this run has a new activity. */
    void does(String runId);

    /** The agent of a running step retries on its own. */
    void retries(String runId, String stepId, OwnRetry retry);

    /** The agent of this step truncated its own log. */
    void truncated(String runId, String stepId);

    /** A running step's signal file holds this. */
    void signalled(String runId, String stepId, Signal signal);

    /** An internal error: this step cannot be supervised, so it and its run must end. */
    void failed(String runId, String stepId, Throwable failure);

    /** An internal error that was logged already. */
    void failed(String runId, String failure);

    /** As {@link #failed(String, String, Throwable)}, once for a step; its output is not read again before its end. */
    default void failed(OpenedStep step, Throwable failure) {
        if (step.beginFailure()) {
            failed(step.spec().runId(), step.spec().stepId(), failure);
        }
    }

    /** Decides what to do with the changes of a step that ended with this outcome. */
    WorkspaceRules.StepChanges changesAfter(String runId, String stepId, StepOutcome outcome);

    /** A step and all its processes have ended. */
    void ended(String runId, String stepId, StepOutcome outcome);
}
