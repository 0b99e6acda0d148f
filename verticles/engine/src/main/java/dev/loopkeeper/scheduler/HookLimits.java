package dev.loopkeeper.scheduler;

import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Stops git filters and hooks of steps that are being stopped. Filters that run while a worktree is created are stopped
 * at once; hooks of the step's commit get the same grace as its agent. Used from one context only.
 */
final class HookLimits {
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final OpenedSteps steps;
    private final GitRequests git;
    /** Steps whose hooks are stopped repeatedly; each step has one retry chain, however often it is stopped. */
    private final Set<OpenedStep> hooks = new HashSet<>();
    /** Steps whose worktree preparation is stopped repeatedly. */
    private final Set<OpenedStep> preparations = new HashSet<>();

    HookLimits(Vertx vertx, OpenedSteps steps, GitRequests git) {
        this.vertx = vertx;
        this.steps = steps;
        this.git = git;
    }

    /**
     * Schedules the end of the step's hooks, once its stop was requested and its agent has ended. Repeated until the
     * step has ended: its commit may only be about to start a hook.
     */
    void limit(OpenedStep step) {
        StepSpec spec = step.spec();
        if (step.isEnding() && spec.worktree().isPresent()) {
            step.stopsWithin()
                    .ifPresent(time -> vertx.setTimer(
                            Math.max(1, time.toMillis()),
                            due -> begin(
                                    hooks,
                                    step,
                                    () -> steps.find(spec.runId(), spec.stepId())
                                            .filter(found -> found == step)
                                            .isPresent(),
                                    () -> git.endHooks(spec.runId(), spec.stepId()))));
        }
    }

    /** Stops the creation of the worktree of a step whose stop was requested. */
    void endPreparation(OpenedStep step) {
        begin(
                preparations,
                step,
                () -> step.isPreparing() && step.stopsWithin().isPresent(),
                () -> git.endPreparation(step.spec()));
    }

    private void begin(Set<OpenedStep> active, OpenedStep step, BooleanSupplier needed, Supplier<Future<?>> end) {
        if (active.add(step)) {
            repeat(active, step, needed, end);
        }
    }

    private void repeat(Set<OpenedStep> active, OpenedStep step, BooleanSupplier needed, Supplier<Future<?>> end) {
        if (needed.getAsBoolean()) {
            end.get()
                    .onComplete(
                            done -> vertx.setTimer(RETRY_DELAY.toMillis(), due -> repeat(active, step, needed, end)));
        } else {
            active.remove(step);
        }
    }
}
