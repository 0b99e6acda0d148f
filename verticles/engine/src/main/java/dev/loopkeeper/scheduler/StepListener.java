package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.work.Instants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes what happens to steps to their runs. */
interface StepListener {
    Logger LOG = LoggerFactory.getLogger(StepListener.class);

    /** Passes this to the run, if it is loaded. */
    void deliver(String runId, RunInput input);

    /** A step of this run is being launched. */
    void launches(String runId);

    /** A step of this run has a new activity. */
    void does(String runId);

    /** Decides what to do with the changes of a step that ended with this outcome. */
    WorkspaceRules.StepChanges changesAfter(String runId, String stepId, StepOutcome outcome);

    /** A step and all its processes have ended. */
    void ended(String runId, String stepId, StepOutcome outcome);

    /** Builds the input that ends a run because of an internal error. */
    static RunInput.Broken broken(String failure) {
        return new RunInput.Broken(Instants.now(), "an internal error: " + failure);
    }

    /** An internal error: this step cannot be supervised, so it and its run must end. */
    default void failed(String runId, String stepId, Throwable failure) {
        LOG.error("run {}: step {} cannot be supervised", runId, stepId, failure);
        deliver(runId, broken(failure.toString()));
    }

    /** Does the same, once for a step; its output is not read again before its end. */
    default void failed(OpenedStep step, Throwable failure) {
        if (step.beginFailure()) {
            failed(step.spec().runId(), step.spec().stepId(), failure);
        }
    }

    /** Reports once that the agent of this step has truncated its log. */
    default void reportTruncation(OpenedStep step) {
        if (step.isNewlyTruncated()) {
            String message = "the agent of " + step.spec().stepId()
                    + " truncated its own log: the removed output is lost; reading continues at the start of the file";
            remark(step, "log-truncated", message);
        }
    }

    /** Records a notice of this step. */
    default void remark(OpenedStep step, String code, String message) {
        deliver(step.spec().runId(), new RunInput.Remark(Instants.now(), code, message));
    }
}
