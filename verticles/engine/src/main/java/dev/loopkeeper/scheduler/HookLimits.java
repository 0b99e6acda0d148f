package dev.loopkeeper.scheduler;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Filters of the repository may do what they like while a worktree is made, and hooks with the commit of a step. Of a step
 * that is to stop the former are ended at once, and the latter have as long as its agent. Used from one context only.
 */
final class HookLimits {
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final OpenedSteps steps;
    private final GitOrders git;
    /** Whose hooks are being ended again and again; a step has one such chain however often it is stopped. */
    private final Set<String> hooks = new HashSet<>();
    /** The same for what makes a worktree. */
    private final Set<OpenedStep> preparations = new HashSet<>();

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
                            due -> beginToEndHooks(
                                    step.spec().runId(), step.spec().stepId())));
        }
    }

    /** Has an effect while the worktree is made for a step that is to stop: nothing will work in it soon. */
    void endPreparation(OpenedStep step) {
        if (isEndedInPreparation(step) && preparations.add(step)) {
            endPreparationUntilOver(step);
        }
    }

    private static boolean isEndedInPreparation(OpenedStep step) {
        return step.isPreparing() && step.stopsWithin().isPresent();
    }

    private void endPreparationUntilOver(OpenedStep step) {
        if (isEndedInPreparation(step)) {
            git.endPreparation(step.spec())
                    .onComplete(done -> vertx.setTimer(AGAIN_AFTER.toMillis(), due -> endPreparationUntilOver(step)));
        } else {
            preparations.remove(step);
        }
    }

    private void beginToEndHooks(String runId, String stepId) {
        if (hooks.add(runId + "/" + stepId)) {
            endHooks(runId, stepId);
        }
    }

    /** Again until the step is over: its commit may only be about to run one. */
    private void endHooks(String runId, String stepId) {
        if (steps.find(runId, stepId).isPresent()) {
            git.endHooks(runId, stepId)
                    .onComplete(done -> vertx.setTimer(AGAIN_AFTER.toMillis(), due -> endHooks(runId, stepId)));
        } else {
            hooks.remove(runId + "/" + stepId);
        }
    }
}
