package dev.loopkeeper.scheduler;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Stops git filters and hooks of steps that are being stopped. Filters that run while a worktree is created are stopped
 * at once; hooks of the step's commit get the same grace as its agent. Used from one context only.
 */
final class HookLimits {
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final OpenedSteps steps;
    private final GitOrders git;
    /** Steps whose hooks are stopped repeatedly; each step has one retry chain, however often it is stopped. */
    private final Set<String> hooks = new HashSet<>();
    /** Steps whose worktree preparation is stopped repeatedly. */
    private final Set<OpenedStep> preparations = new HashSet<>();

    HookLimits(Vertx vertx, OpenedSteps steps, GitOrders git) {
        this.vertx = vertx;
        this.steps = steps;
        this.git = git;
    }

    /** Schedules the end of the step's hooks, once its stop was requested and its agent has ended. */
    void limit(OpenedStep step) {
        if (step.isEnding() && step.spec().worktree().isPresent()) {
            step.stopsWithin()
                    .ifPresent(time -> vertx.setTimer(
                            Math.max(1, time.toMillis()),
                            due -> beginToEndHooks(
                                    step.spec().runId(), step.spec().stepId())));
        }
    }

    /** Stops the creation of the worktree of a step whose stop was requested. */
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
                    .onComplete(done -> vertx.setTimer(RETRY_DELAY.toMillis(), due -> endPreparationUntilOver(step)));
        } else {
            preparations.remove(step);
        }
    }

    private void beginToEndHooks(String runId, String stepId) {
        if (hooks.add(runId + "/" + stepId)) {
            endHooks(runId, stepId);
        }
    }

    /** Repeats until the step has ended: its commit may only be about to start a hook. */
    private void endHooks(String runId, String stepId) {
        if (steps.find(runId, stepId).isPresent()) {
            git.endHooks(runId, stepId)
                    .onComplete(done -> vertx.setTimer(RETRY_DELAY.toMillis(), due -> endHooks(runId, stepId)));
        } else {
            hooks.remove(runId + "/" + stepId);
        }
    }
}
