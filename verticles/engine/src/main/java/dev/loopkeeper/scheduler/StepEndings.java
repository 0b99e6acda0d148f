package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.rules.WorkspaceRules;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the outcome of ended steps after reading their results and committing their worktree. Covers steps that never
 * ran or whose exit was not observed. Used from one context only.
 */
final class StepEndings {
    private static final Logger LOG = LoggerFactory.getLogger(StepEndings.class);

    private final Scheduler scheduler;
    private final OpenedSteps steps;
    private final StepOutcomes outcomes;

    StepEndings(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.steps = scheduler.opened;
        this.outcomes = scheduler.outcomes;
    }

    /** Listens for process exits from completion until the verticle is undeployed. */
    Future<Void> start() {
        return ProcessChannels.EXITED
                .listen(scheduler.vertx.eventBus(), this::exited)
                .completion();
    }

    /** Reports a step whose node was lost. */
    void lost(StepSpec spec) {
        KillReceipt nothing = KillReceipt.nothing(spec.runId(), spec.stepId(), Instants.now());
        exited(unseen(spec.stepId(), ExitCause.NODE_LOST, "the node that executed the step was lost", nothing));
    }

    /** Reports a step that could not be launched. */
    void unlaunched(StepSpec spec, Throwable cause, KillReceipt receipt) {
        Optional<ErrorKind> launchError = cause instanceof ResourceExhaustedException
                ? Optional.of(ErrorKind.INFRASTRUCTURE)
                : cause instanceof SandboxRefusedException ? Optional.of(ErrorKind.SANDBOX) : Optional.empty();
        exited(StepExited.unseen(
                spec.stepId(), ExitCause.LAUNCH_FAILED, cause.getMessage(), launchError, receipt, Optional.empty()));
    }

    /** Reports a step that was stopped before its launch. */
    void stopped(StepSpec spec, Throwable why, KillReceipt receipt) {
        exited(unseen(spec.stepId(), ExitCause.STOPPED, why.getMessage(), receipt));
    }

    /** Reports a step that an internal error kept from being supervised; none of its results are read. */
    void abandoned(String stepId, Throwable failure, KillReceipt receipt) {
        over(unseen(stepId, ExitCause.VANISHED, failure.toString(), receipt));
    }

    private static StepExited unseen(String stepId, ExitCause cause, String why, KillReceipt receipt) {
        return StepExited.unseen(stepId, cause, why, Optional.empty(), receipt, Optional.empty());
    }

    private void exited(StepExited exited) {
        steps.find(exited.runId(), exited.stepId())
                .filter(OpenedStep::beginEnding)
                .ifPresent(step -> end(step, exited));
    }

    private void end(OpenedStep step, StepExited exited) {
        scheduler.hooks.limit(step);
        exited.internalError()
                .ifPresent(failure -> scheduler.actors.deliver(exited.runId(), RunActors.broken(failure)));
        // The store processes requests in order: the receipt is durable no later than the end of the step.
        Future.succeededFuture(exited.swept().withBy(step.stoppedBy()))
                .compose(scheduler.receipts::keep)
                .onFailure(failure -> scheduler.actors.failed(step, failure));
        Future.succeededFuture(exited)
                .compose(ended -> outcomes.of(step, ended))
                .compose(outcome -> outcomes.permitted(step, exited, outcome))
                .compose(outcome -> committed(step, exited, outcome))
                .onComplete(outcome -> over(exited, outcome), failure -> unread(exited, failure));
    }

    /** Commits the step's changes before its end is recorded, so that recorded work is in git. */
    private Future<StepOutcome> committed(OpenedStep step, StepExited exited, StepOutcome outcome) {
        if (step.gitFailure().isPresent()) {
            return Future.succeededFuture(
                    outcome.with(outcome.digests(), new StepOutcome.Git(Optional.empty(), step.gitFailure())));
        }
        boolean worktree = step.spec().worktree().isPresent();
        if (worktree && (step.isUnlaunched() || exited.process().cause() == ExitCause.LAUNCH_FAILED)) {
            return Future.succeededFuture(outcome);
        }
        WorkspaceRules.StepChanges changes = scheduler
                .actors
                .loaded(exited.runId())
                .map(run -> WorkspaceRules.after(run.state(), exited.stepId(), outcome))
                .orElse(WorkspaceRules.StepChanges.UNUSED);
        Future<GitRequests.Committed> committed = worktree
                ? scheduler.git.commit(step.spec(), changes.commit())
                : Future.succeededFuture(GitRequests.Committed.NOTHING);
        return committed.compose(done -> changes.compared()
                ? outcomes.compared(step, exited, outcome, done)
                : Future.succeededFuture(outcome.with(outcome.digests(), done.git())));
    }

    /** Ends the run of a step whose outcome cannot be computed: a step that stayed open would freeze it. */
    private void unread(StepExited exited, Throwable failure) {
        if (TransientFailure.isShutdown(failure)) {
            LOG.debug("run {}: the end of {} is left to the next runtime", exited.runId(), exited.stepId());
            return;
        }
        scheduler.actors.failed(exited.runId(), exited.stepId(), failure);
        over(exited);
    }

    private void over(StepExited exited) {
        over(exited, StepOutcomes.unread(exited));
    }

    private void over(StepExited exited, StepOutcome outcome) {
        steps.find(exited.runId(), exited.stepId()).ifPresent(this::reportNotices);
        steps.remove(exited.runId(), exited.stepId());
        // While draining, step ends are left to the next runtime, which finds them recorded. Exceptions are runs that
        // are being stopped, or whose stop is not durable yet.
        scheduler
                .actors
                .loaded(exited.runId())
                .filter(run -> !scheduler.capacity.isClosed()
                        || run.state().condition() instanceof Condition.Stopping
                        || scheduler.runtimeEnd.isAwaited(exited.runId()))
                .ifPresent(run -> ended(run, new RunInput.StepEnded(Instants.now(), exited.stepId(), outcome)));
    }

    /** The pool of the agent cools down before the run decides on the limit that the agent met. */
    private void ended(RunActor run, RunInput.StepEnded ended) {
        scheduler.places.ending(run.state(), ended).onComplete(durable -> scheduler.actors.deliver(run.runId(), ended));
    }

    private void reportNotices(OpenedStep step) {
        scheduler.watcher.reportTruncation(step);
        step.output()
                .notices()
                .forEach(notice -> scheduler.watcher.remark(
                        step, notice.code(), "step " + step.spec().stepId() + ": " + notice.message()));
    }
}
