package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.contract.ClientEnvironments;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.contract.SignalChannels.PrepareSignal;
import dev.loopkeeper.contract.SignalChannels.SignalLocation;
import dev.loopkeeper.contract.SignalChannels.WatchSignal;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.HostName;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.Retries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Launches the steps of runs. Every request is safe to repeat, and is repeated until it is answered. */
final class StepRunner {
    private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final int LAUNCH_TRIES = 3;

    private final Scheduler scheduler;
    private final Vertx vertx;
    private final EventBus bus;
    private final Ownership ownership;
    private final ClientEnvironments environments;
    /** Identifies where agents keep their sessions: this node, or without a cluster this machine. */
    private final String host;

    private final Map<String, Future<Optional<StepLaunched>>> launches = new HashMap<>();

    StepRunner(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.vertx = scheduler.vertx;
        this.bus = vertx.eventBus();
        this.ownership = scheduler.ownership;
        this.environments = ClientEnvironments.in(vertx);
        this.host = ownership.node().orElseGet(() -> HostName.of(System.getenv()));
    }

    /** Listens for exits, signals and output from completion until the verticle is undeployed. */
    Future<Void> start() {
        return Future.all(scheduler.endings.start(), scheduler.watcher.start()).mapEmpty();
    }

    void launch(StepSpec asked, boolean recovered) {
        StepSpec spec = scheduler.git.placed(asked).launchedAt(host);
        OpenedStep step = new OpenedStep(spec, scheduler.data, scheduler.readers, host);
        scheduler.opened.add(step);
        reportLostEnvironment(spec.runId());
        long term = ownership.term();
        Future<Optional<StepLaunched>> launched = haveWorktree(step, recovered)
                .compose(there -> scheduler.outcomes.remember(spec))
                .compose(remembered -> prepare(step))
                .compose(ready -> untilItMayAct(spec, term))
                .compose(ready -> unlessStopped(step, recovered))
                .compose(ready ->
                        askToLaunch(new LaunchStep(ownership.guarded(spec, term), recovered), LAUNCH_TRIES, term))
                .map(answer -> {
                    step.launched(answer.pid());
                    return Optional.of(answer);
                })
                .recover(cause -> cannotLaunch(step, cause).map(Optional.empty()));
        String key = OpenedSteps.key(spec.runId(), spec.stepId());
        launches.put(key, launched);
        launched.onComplete(over -> launches.remove(key, launched));
    }

    /** The environment of a command is in the memory of the process that it was submitted to. */
    private void reportLostEnvironment(String runId) {
        scheduler
                .actors
                .loaded(runId)
                .filter(run -> run.state().ledger().warned().contains(ClientEnvironment.GIVEN))
                .filter(run -> environments.of(runId).isEmpty())
                .ifPresent(run -> run.deliver(RunInput.Remark.once(
                        Instants.now(),
                        ClientEnvironment.LOST,
                        "agents have the environment and umask of this process from now on: those of the command that"
                                + " submitted this run are no longer in memory")));
    }

    private Future<Void> haveWorktree(OpenedStep step, boolean recovered) {
        step.preparing(step.spec().worktree().isPresent());
        return scheduler
                .git
                .prepare(step.spec(), !recovered)
                .onComplete(over -> step.preparing(false))
                // A recovered step is not launched either, and its processes, if any, are stopped.
                .recover(cause -> unlessStopped(step, false).compose(goesOn -> {
                    step.withoutWorktree(GitRequests.gitFailure(cause));
                    return Future.failedFuture(cause);
                }));
    }

    /** Fails if a stop was requested; a recovered step may already run and is stopped as usual. */
    private static Future<Void> unlessStopped(OpenedStep step, boolean recovered) {
        return recovered || step.stopsWithin().isEmpty()
                ? Future.succeededFuture()
                : Future.failedFuture(new StoppedBeforeLaunchException());
    }

    /** Forgets all launches. */
    void forgetAll() {
        launches.clear();
    }

    /** Concludes a step of a lost node: only its changes to the workspace are known. */
    void conclude(StepSpec spec) {
        scheduler.opened.add(OpenedStep.lost(spec, scheduler.data, scheduler.readers));
        scheduler.endings.lost(spec);
    }

    /** Returns the pending launch of a step; empty when it was answered already, or failed. */
    Future<Optional<StepLaunched>> launching(String runId, String stepId) {
        return launches.getOrDefault(OpenedSteps.key(runId, stepId), Future.succeededFuture(Optional.empty()));
    }

    private Future<Void> prepare(OpenedStep step) {
        if (step.signalLocation().isEmpty()) {
            return Future.succeededFuture();
        }
        var location = step.signalLocation().get();
        return SignalChannels.PREPARE
                .ask(bus, new PrepareSignal(location), TIMEOUT)
                .onSuccess(ready -> watch(location))
                .onFailure(cause -> step.pathBlocked())
                .mapEmpty();
    }

    /** Watches the signal file without delaying the launch; a signal that is missed is read at the end. */
    private void watch(SignalLocation location) {
        SignalChannels.WATCH
                .ask(bus, new WatchSignal(location), TIMEOUT)
                .onFailure(
                        cause -> LOG.warn("the signal of {} is not watched: {}", location.key(), cause.getMessage()));
    }

    private Future<Void> untilItMayAct(StepSpec spec, long term) {
        return Retries.every(
                vertx,
                RETRY_DELAY,
                cause -> {
                    LOG.warn("run {}: step {} is not launched: {}", spec.runId(), spec.stepId(), cause.getMessage());
                    return ownership.term() == term;
                },
                () -> ownership.term() == term && ownership.mayAct()
                        ? Future.succeededFuture()
                        : Future.failedFuture(new StoreUnavailableException("this node has no valid lease", null)));
    }

    private Future<StepLaunched> askToLaunch(LaunchStep command, int tries, long term) {
        Future<StepLaunched> answer = ProcessChannels.LAUNCH.ask(bus, command, TIMEOUT);
        return tries <= 1
                ? answer
                : answer.recover(lost -> vertx.timer(RETRY_DELAY.toMillis())
                        .compose(now -> untilItMayAct(command.step(), term))
                        .compose(now -> askToLaunch(new LaunchStep(command.step(), true), tries - 1, term)));
    }

    /** Stops any processes of the step before reporting its failed launch to the run. */
    private Future<Void> cannotLaunch(OpenedStep step, Throwable cause) {
        StepSpec spec = step.spec();
        if (cause instanceof StoppedBeforeLaunchException) {
            step.unlaunched();
            return scheduler
                    .stops
                    .endProcesses(spec.runId(), spec.stepId())
                    .onSuccess(receipt -> scheduler.endings.stopped(spec, cause, receipt))
                    .mapEmpty();
        }
        LOG.warn("run {}: step {} could not be launched: {}", spec.runId(), spec.stepId(), cause.getMessage());
        return scheduler
                .stops
                .endProcesses(spec.runId(), spec.stepId())
                .onSuccess(receipt -> scheduler.endings.unlaunched(spec, cause, receipt))
                .mapEmpty();
    }

    /** Abandons a step after an internal error, once its processes have ended. */
    void abandon(String runId, String stepId, Throwable failure) {
        scheduler.actors.failed(runId, stepId, failure);
        scheduler
                .stops
                .endProcesses(runId, stepId)
                .onSuccess(receipt -> scheduler.endings.abandoned(stepId, failure, receipt));
    }

    private static final class StoppedBeforeLaunchException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoppedBeforeLaunchException() {
            super("the step was stopped before its launch");
        }
    }
}
