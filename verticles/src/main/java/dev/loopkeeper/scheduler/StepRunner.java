package dev.loopkeeper.scheduler;

import dev.loopkeeper.process.KillReceipt;
import dev.loopkeeper.process.LaunchStep;
import dev.loopkeeper.process.ProcessChannels;
import dev.loopkeeper.process.StepExited;
import dev.loopkeeper.process.StepLaunched;
import dev.loopkeeper.process.StopStep;
import dev.loopkeeper.signal.PrepareSignal;
import dev.loopkeeper.signal.SignalChannels;
import dev.loopkeeper.signal.SignalSeen;
import dev.loopkeeper.signal.WatchSignal;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepOutcome;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Launches and stops steps for the runs, and tells what became of them. Everything it asks for is safe to repeat, and
 * is repeated until it is answered.
 */
final class StepRunner {
    /** What happens to steps. */
    interface Listener {
        /** A running step has used so much in all. */
        void used(String runId, String stepId, Usage usage);

        /** A running step's signal file holds this. */
        void signalled(String runId, String stepId, Signal signal);

        /** A step and all its processes are gone. */
        void ended(String runId, String stepId, StepOutcome outcome);
    }

    private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final int LAUNCH_TRIES = 3;

    private final Vertx vertx;
    private final EventBus bus;
    private final Path data;
    private final StepOutcomes outcomes;
    private final Receipts receipts;
    private final Listener listener;
    private final Map<String, OpenedStep> steps = new HashMap<>();
    private final Map<String, Future<Optional<StepLaunched>>> launches = new HashMap<>();

    StepRunner(Vertx vertx, Path data, StepOutcomes outcomes, Listener listener) {
        this.vertx = vertx;
        this.bus = vertx.eventBus();
        this.data = data;
        this.outcomes = outcomes;
        this.receipts = new Receipts(bus);
        this.listener = listener;
    }

    /** Hears of exits, signals and output once this completes; until the verticle is undeployed. */
    Future<Void> start() {
        var exits = ProcessChannels.EXITED.listen(bus, this::exited);
        var signals = SignalChannels.SEEN.listen(bus, this::seen);
        vertx.setPeriodic(LOOK_EVERY.toMillis(), tick -> steps.values().forEach(this::lookAtOutput));
        return Future.all(exits.completion(), signals.completion()).mapEmpty();
    }

    /** The agent's process, while it is known to run. */
    OptionalLong pid(String runId, String stepId) {
        OpenedStep step = steps.get(key(runId, stepId));
        return step == null ? OptionalLong.empty() : step.pid();
    }

    private static String key(String runId, String stepId) {
        return runId + "/" + stepId;
    }

    void launch(StepSpec spec, boolean recovered) {
        OpenedStep step = new OpenedStep(spec, data);
        String key = key(spec.runId(), spec.stepId());
        steps.put(key, step);
        Future<Optional<StepLaunched>> launched = prepare(step)
                .compose(ready -> askToLaunch(new LaunchStep(spec, recovered), LAUNCH_TRIES))
                .map(answer -> {
                    step.launched(answer.pid());
                    return Optional.of(answer);
                })
                .recover(cause -> cannotLaunch(step, cause).map(Optional.empty()));
        launches.put(key, launched);
        launched.onComplete(over -> launches.remove(key, launched));
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
                .compose(ready -> SignalChannels.WATCH.ask(bus, new WatchSignal(place), PATIENCE))
                .mapEmpty();
    }

    private Future<StepLaunched> askToLaunch(LaunchStep command, int tries) {
        Future<StepLaunched> answer = ProcessChannels.LAUNCH.ask(bus, command, PATIENCE);
        return tries <= 1
                ? answer
                : answer.recover(lost -> vertx.timer(AGAIN_AFTER.toMillis())
                        .compose(now -> askToLaunch(new LaunchStep(command.step(), true), tries - 1)));
    }

    /** Nothing is known to run; the stop makes sure of it before the run is told. */
    private Future<Void> cannotLaunch(OpenedStep step, Throwable cause) {
        StepSpec spec = step.spec();
        LOG.warn("run {}: step {} could not be launched: {}", spec.runId(), spec.stepId(), cause.getMessage());
        return ProcessChannels.STOP
                .ask(bus, new StopStep(spec.runId(), spec.stepId(), true, ExitCause.STOPPED), PATIENCE)
                .otherwiseEmpty()
                .map(gone -> {
                    exited(unlaunched(spec, cause.getMessage()));
                    return null;
                });
    }

    private static StepExited unlaunched(StepSpec spec, String why) {
        Instant now = Instants.now();
        KillReceipt nothing = new KillReceipt(
                spec.runId(), Optional.of(spec.stepId()), now, now, KillReceipt.Outcome.gone, List.of());
        return new StepExited(
                spec.runId(),
                spec.stepId(),
                ExitCause.LAUNCH_FAILED,
                OptionalLong.empty(),
                OptionalInt.empty(),
                now,
                now,
                Optional.of(why),
                false,
                "",
                nothing);
    }

    /** Ends a step's processes; asked again until it is answered or the step is over. */
    void stop(String runId, String stepId, boolean now) {
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
        OpenedStep step = steps.get(key(runId, stepId));
        return step == null
                ? PATIENCE
                : PATIENCE.plus(step.spec().program().stop().grace());
    }

    private void stopAgain(String runId, String stepId, boolean now) {
        if (steps.containsKey(key(runId, stepId))) {
            stop(runId, stepId, now);
        }
    }

    private void exited(StepExited exited) {
        String key = key(exited.runId(), exited.stepId());
        OpenedStep step = steps.get(key);
        if (step == null || !step.beginEnding()) {
            return;
        }
        receipts.keep(exited.swept())
                .compose(kept -> outcomes.of(step, exited))
                .onComplete(
                        outcome -> {
                            steps.remove(key);
                            listener.ended(exited.runId(), exited.stepId(), outcome);
                        },
                        impossible -> LOG.error(
                                "run {}: the end of {} could not be read",
                                exited.runId(),
                                exited.stepId(),
                                impossible));
    }

    private void seen(SignalSeen seen) {
        OpenedStep step = steps.get(key(seen.runId(), seen.stepId()));
        if (step == null) {
            return;
        }
        byte[] content = seen.content().getBytes(StandardCharsets.UTF_8);
        SignalReading reading = SignalReader.read(Optional.of(content), step.expectation());
        if (reading instanceof SignalReading.Valid valid) {
            valid.signal().usage().ifPresent(usage -> listener.used(seen.runId(), seen.stepId(), usage));
            listener.signalled(seen.runId(), seen.stepId(), valid.signal());
        }
    }

    private void lookAtOutput(OpenedStep step) {
        if (step.isText()) {
            return;
        }
        step.look(() -> outcomes.usageSoFar(step))
                .onComplete(
                        usage -> heard(step, usage),
                        unreadable -> LOG.debug(
                                "the output of {} cannot be read yet",
                                step.spec().stepId(),
                                unreadable));
    }

    private void heard(OpenedStep step, Usage usage) {
        if (step.isNews(usage)) {
            listener.used(step.spec().runId(), step.spec().stepId(), usage);
        }
    }
}
