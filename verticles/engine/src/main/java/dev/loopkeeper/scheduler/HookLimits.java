package dev.loopkeeper.scheduler;

import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * A hook of the repository may do what it likes with the commit of a step; of one that is to stop only as long as its
 * agent might. Used from one context only.
 */
final class HookLimits {
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final OpenedSteps steps;
    private final GitOrders git;

    HookLimits(Vertx vertx, OpenedSteps steps, GitOrders git) {
        this.vertx = vertx;
        this.steps = steps;
        this.git = git;
    }

    /** Has an effect once the step is to stop and its agent has ended, whichever comes last. */
    void limit(OpenedStep step) {
        if (step.isEnding() && step.spec().worktree().isPresent()) {
            step.stopsWithin()
                    .ifPresent(time -> vertx.setTimer(
                            Math.max(1, time.toMillis()),
                            due -> endHooks(step.spec().runId(), step.spec().stepId())));
        }
    }

    /** Again until the step is over: its commit may only be about to run one. */
    private void endHooks(String runId, String stepId) {
        if (steps.find(runId, stepId).isPresent()) {
            git.endHooks(runId, stepId)
                    .onComplete(done -> vertx.setTimer(AGAIN_AFTER.toMillis(), due -> endHooks(runId, stepId)));
        }
    }
}
