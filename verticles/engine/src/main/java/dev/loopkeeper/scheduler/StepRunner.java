package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.contract.FullDiskException;
import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.contract.process.LaunchStep;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.process.StepExited;
import dev.loopkeeper.contract.process.StepLaunched;
import dev.loopkeeper.contract.process.StopStep;
import dev.loopkeeper.contract.signal.PrepareSignal;
import dev.loopkeeper.contract.signal.SignalChannels;
import dev.loopkeeper.contract.signal.SignalPlace;
import dev.loopkeeper.contract.signal.WatchSignal;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.rules.GitRules;
import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.StepSpans;
import dev.loopkeeper.work.Trouble;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Launches and stops steps for the runs, and tells what became of them. Everything it asks for is safe to repeat, and
 * is repeated until it is answered.
 */
final class StepRunner {
    private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final int LAUNCH_TRIES = 3;

    private final Vertx vertx;
    private final EventBus bus;
    private final Path data;
    private final Ownership ownership;
    private final StepOutcomes outcomes;
    private final GitOrders git;
    private final HookLimits hooks;
    private final StepWatcher watcher;
    private final Receipts receipts;
    private final StepListener listener;
    private final BiFunction<OutputDialect, ErrorRules, AgentOutputReader> readers;
    private final OpenedSteps steps = new OpenedSteps();
    private final Map<String, Future<Optional<StepLaunched>>> launches = new HashMap<>();

    /** @param readers make the reader of a dialect that goes by these rules */
    StepRunner(
            Vertx vertx,
            Path data,
            Ownership ownership,
            StepOutcomes outcomes,
            StepListener listener,
            BiFunction<OutputDialect, ErrorRules, AgentOutputReader> readers) {
        this.vertx = vertx;
        this.bus = vertx.eventBus();
        this.data = data;
        this.ownership = ownership;
        this.outcomes = outcomes;
        this.git = new GitOrders(vertx, data);
        this.hooks = new HookLimits(vertx, steps, git);
        this.watcher = new StepWatcher(vertx, steps, outcomes, listener);
        this.receipts = new Receipts(vertx);
        this.listener = listener;
        this.readers = readers;
    }

    /** Hears of exits, signals and output once this completes; until the verticle is undeployed. */
    Future<Void> start() {
        var exits = ProcessChannels.EXITED.listen(bus, this::exited);
        return Future.all(exits.completion(), watcher.start()).mapEmpty();
    }

    /** Those that are looked after. */
    OpenedSteps opened() {
        return steps;
    }

    private static String key(String runId, String stepId) {
        return runId + "/" + stepId;
    }

    /** Asks for what runs want of git. */
    GitOrders git() {
        return git;
    }

    void launch(StepSpec asked, boolean recovered) {
        StepSpec spec = git.placed(asked);
        OpenedStep step = new OpenedStep(spec, data, readers);
        steps.add(step);
        long term = ownership.term();
        Future<Optional<StepLaunched>> launched = git.prepare(spec)
                .onFailure(cause -> step.withoutWorktree(GitOrders.trouble(cause)))
                .compose(there -> prepare(step))
                .compose(ready -> untilItMayAct(spec, term))
                .compose(ready -> {
                    StepSpans.mark(spec.runId(), spec.stepId(), StepSpans.Point.ASKED);
                    return askToLaunch(new LaunchStep(ownership.guarded(spec, term), recovered), LAUNCH_TRIES, term);
                })
                .map(answer -> {
                    step.launched(answer.pid());
                    return Optional.of(answer);
                })
                .recover(cause -> cannotLaunch(step, cause).map(Optional.empty()));
        String key = key(spec.runId(), spec.stepId());
        launches.put(key, launched);
        launched.onComplete(over -> launches.remove(key, launched));
    }

    /** Nothing that was opened here is looked after any more, nor launched. */
    void forgetAll() {
        steps.forgetAll();
        launches.clear();
    }

    /** It went with its node: only what it left in the workspace can be known. */
    void conclude(StepSpec spec) {
        steps.add(OpenedStep.lost(spec, data, readers));
        Instant now = Instants.now();
        KillReceipt nothing = new KillReceipt(
                spec.runId(), Optional.of(spec.stepId()), now, now, KillReceipt.Outcome.gone, List.of());
        exited(exit(spec.runId(), spec.stepId(), ExitCause.NODE_LOST, "the node that ran it was lost", nothing));
    }

    /** What becomes of a launch that was asked for; empty when it is answered already, or failed. */
    Future<Optional<StepLaunched>> launching(String runId, String stepId) {
        return launches.getOrDefault(key(runId, stepId), Future.succeededFuture(Optional.empty()));
    }

    private Future<Void> prepare(OpenedStep step) {
        if (step.signalPlace().isEmpty()) {
            return Future.succeededFuture();
        }
        var place = step.signalPlace().get();
        return SignalChannels.PREPARE
                .ask(bus, new PrepareSignal(place), PATIENCE)
                .onSuccess(ready -> {
                    StepSpans.mark(place.runId(), place.stepId(), StepSpans.Point.PREPARED);
                    watch(place);
                })
                .mapEmpty();
    }

    /** The launch does not wait for it: a signal that is not seen while the step runs is read in the end. */
    private void watch(SignalPlace place) {
        SignalChannels.WATCH
                .ask(bus, new WatchSignal(place), PATIENCE)
                .onFailure(cause -> LOG.warn("the signal of {} is not watched: {}", place.key(), cause.getMessage()));
    }

    private Future<Void> untilItMayAct(StepSpec spec, long term) {
        if (ownership.term() != term) {
            return Future.failedFuture(new StoreAwayException("the node has lost its lease meanwhile", null));
        }
        if (ownership.mayAct()) {
            return Future.succeededFuture();
        }
        LOG.warn("run {}: step {} is not launched while this node may not act", spec.runId(), spec.stepId());
        return vertx.timer(AGAIN_AFTER.toMillis()).compose(now -> untilItMayAct(spec, term));
    }

    private Future<StepLaunched> askToLaunch(LaunchStep command, int tries, long term) {
        Future<StepLaunched> answer = ProcessChannels.LAUNCH.ask(bus, command, PATIENCE);
        return tries <= 1
                ? answer
                : answer.recover(lost -> vertx.timer(AGAIN_AFTER.toMillis())
                        .compose(now -> untilItMayAct(command.step(), term))
                        .compose(now -> askToLaunch(new LaunchStep(command.step(), true), tries - 1, term)));
    }

    /** Nothing is known to run; the stop makes sure of it before the run is told. */
    private Future<Void> cannotLaunch(OpenedStep step, Throwable cause) {
        StepSpec spec = step.spec();
        LOG.warn("run {}: step {} could not be launched: {}", spec.runId(), spec.stepId(), cause.getMessage());
        return endProcesses(spec.runId(), spec.stepId())
                .onSuccess(receipt -> exited(unlaunched(spec, cause, receipt)))
                .mapEmpty();
    }

    /** Kills what the step may have left; asked until it is answered, since what is not known gone may live. */
    private Future<KillReceipt> endProcesses(String runId, String stepId) {
        return ProcessChannels.STOP
                .ask(bus, new StopStep(runId, stepId, true, ExitCause.STOPPED), PATIENCE)
                .recover(cause -> {
                    LOG.warn("run {}: the end of {} is asked for again: {}", runId, stepId, cause.getMessage());
                    return vertx.timer(AGAIN_AFTER.toMillis()).compose(now -> endProcesses(runId, stepId));
                });
    }

    /** Gives a step up that a flaw of ours keeps from being looked after, when its processes are gone. */
    void abandon(String runId, String stepId, Throwable flaw) {
        listener.flawed(runId, stepId, flaw);
        endProcesses(runId, stepId)
                .onSuccess(receipt -> over(exit(runId, stepId, ExitCause.VANISHED, flaw.toString(), receipt)));
    }

    /** As {@link #stop}, and again when that breaks. */
    void stopWhateverBreaks(String runId, String stepId) {
        try {
            stop(runId, stepId, false);
        } catch (RuntimeException | Error flaw) {
            LOG.error("run {}: the stop of {} broke and is tried again", runId, stepId, flaw);
            vertx.setTimer(AGAIN_AFTER.toMillis(), tick -> stopWhateverBreaks(runId, stepId));
        }
    }

    private static StepExited unlaunched(StepSpec spec, Throwable cause, KillReceipt receipt) {
        Optional<ErrorKind> trouble =
                cause instanceof FullDiskException ? Optional.of(ErrorKind.INFRASTRUCTURE) : Optional.empty();
        return exit(spec.runId(), spec.stepId(), ExitCause.LAUNCH_FAILED, cause.getMessage(), trouble, receipt);
    }

    private static StepExited exit(String runId, String stepId, ExitCause cause, String why, KillReceipt receipt) {
        return exit(runId, stepId, cause, why, Optional.empty(), receipt);
    }

    private static StepExited exit(
            String runId,
            String stepId,
            ExitCause cause,
            String why,
            Optional<ErrorKind> trouble,
            KillReceipt receipt) {
        Instant now = Instants.now();
        return new StepExited(
                runId,
                stepId,
                cause,
                OptionalLong.empty(),
                OptionalInt.empty(),
                now,
                now,
                Optional.of(why),
                trouble,
                false,
                "",
                receipt,
                Optional.empty());
    }

    /** Ends a step's processes; asked again until it is answered or the step is over. */
    void stop(String runId, String stepId, boolean now) {
        steps.find(runId, stepId).ifPresent(step -> {
            step.stopBy(now ? Duration.ZERO : step.spec().program().stop().grace());
            hooks.limit(step);
        });
        Future<Optional<StepLaunched>> launched = launching(runId, stepId);
        StopStep command = new StopStep(runId, stepId, now, ExitCause.STOPPED);
        launched.compose(known -> ProcessChannels.STOP.ask(bus, command, patience(runId, stepId)))
                .onFailure(cause -> {
                    LOG.warn("run {}: stop of {} is asked again: {}", runId, stepId, cause.getMessage());
                    vertx.setTimer(AGAIN_AFTER.toMillis(), tick -> stopAgain(runId, stepId, now));
                });
    }

    /** The grace of the agent, and what ending those who ignore it may take. */
    private Duration patience(String runId, String stepId) {
        return steps.find(runId, stepId)
                .map(step -> PATIENCE.plus(step.spec().program().stop().grace()))
                .orElse(PATIENCE);
    }

    private void stopAgain(String runId, String stepId, boolean now) {
        if (steps.find(runId, stepId).isPresent()) {
            stop(runId, stepId, now);
        }
    }

    private void exited(StepExited exited) {
        steps.find(exited.runId(), exited.stepId())
                .filter(OpenedStep::beginEnding)
                .ifPresent(step -> end(step, exited));
    }

    private void end(OpenedStep step, StepExited exited) {
        StepSpans.mark(exited.runId(), exited.stepId(), StepSpans.Point.EXIT_TOLD);
        hooks.limit(step);
        exited.flaw().ifPresent(flaw -> listener.flawed(exited.runId(), flaw));
        // The store keeps the order of what it is asked: the receipt is durable no later than the end of the step.
        Future.succeededFuture(exited.swept()).compose(receipts::keep).onFailure(flaw -> listener.flawed(step, flaw));
        Future.succeededFuture(exited)
                .compose(ended -> outcomes.of(step, ended))
                .compose(outcome -> committed(step, exited, outcome))
                .onComplete(outcome -> over(exited, outcome), flaw -> unread(exited, flaw));
    }

    /** Before its end is recorded: what is on record as done is in git. */
    private Future<StepOutcome> committed(OpenedStep step, StepExited exited, StepOutcome outcome) {
        if (step.gitTrouble().isPresent()) {
            return Future.succeededFuture(
                    outcome.with(outcome.digests(), new StepOutcome.Git(Optional.empty(), step.gitTrouble())));
        }
        if (step.spec().worktree().isEmpty() || exited.cause() == ExitCause.LAUNCH_FAILED) {
            return Future.succeededFuture(outcome);
        }
        Optional<GitRules.StepCommit> how = listener.commitAfter(exited.runId(), exited.stepId(), outcome);
        return how.isEmpty()
                ? outcomes.compared(step, exited, outcome)
                : git.commit(step.spec(), how.get()).map(done -> StepOutcomes.compared(step, exited, outcome, done));
    }

    /** What cannot be computed ends the run: a step that stayed open would freeze it. */
    private void unread(StepExited exited, Throwable flaw) {
        if (Trouble.isEnd(flaw)) {
            LOG.debug("run {}: the end of {} is left to the next runtime", exited.runId(), exited.stepId());
            return;
        }
        listener.flawed(exited.runId(), exited.stepId(), flaw);
        over(exited);
    }

    private void over(StepExited exited) {
        over(exited, StepOutcomes.unread(exited));
    }

    private void over(StepExited exited, StepOutcome outcome) {
        steps.remove(exited.runId(), exited.stepId());
        listener.ended(exited.runId(), exited.stepId(), outcome);
    }
}
