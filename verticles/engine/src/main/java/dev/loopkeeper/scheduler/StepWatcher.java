package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.process.StopStep;
import dev.loopkeeper.contract.signal.SignalChannels;
import dev.loopkeeper.contract.signal.SignalSeen;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches running steps, and tells what their signal files hold and what their output says. Used from one context only. */
final class StepWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(StepWatcher.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Most agents end as soon as they have signalled: one record of both costs one sync less. */
    private static final long SIGNAL_ALONE_MILLIS = 100;

    private final Vertx vertx;
    private final OpenedSteps steps;
    private final StepOutcomes outcomes;
    private final StepListener listener;
    private final SingleFlight<Void> looks = new SingleFlight<>(this::lookAtAll);

    StepWatcher(Vertx vertx, OpenedSteps steps, StepOutcomes outcomes, StepListener listener) {
        this.vertx = vertx;
        this.steps = steps;
        this.outcomes = outcomes;
        this.listener = listener;
    }

    /** Hears of signals and output once this completes; until the verticle is undeployed. */
    Future<Void> start() {
        var signals = SignalChannels.SEEN.listen(vertx.eventBus(), this::seen);
        vertx.setPeriodic(LOOK_EVERY.toMillis(), tick -> looks.run());
        return signals.completion();
    }

    /** One look over all of them: most agents print nothing most of the time. */
    private Future<Void> lookAtAll() {
        List<OpenedStep> open = List.copyOf(steps.all());
        return outcomes.withNews(open)
                .onSuccess(news -> news.forEach(this::lookAtOutput))
                .onFailure(cause -> LOG.debug("the logs of open steps were not looked at", cause))
                .mapEmpty();
    }

    private void seen(SignalSeen seen) {
        steps.find(seen.runId(), seen.stepId())
                .ifPresent(step -> outcomes.seen(step, seen)
                        .onComplete(
                                reading -> guarded(step, () -> hold(step, reading)), cause -> unheard(step, cause)));
    }

    private void guarded(OpenedStep step, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error flaw) {
            listener.flawed(step, flaw);
        }
    }

    private void hold(OpenedStep step, SignalReading reading) {
        if (reading instanceof SignalReading.Valid valid && step.hold(valid.signal())) {
            vertx.setTimer(SIGNAL_ALONE_MILLIS, due -> guarded(step, () -> tellSignal(step)));
        }
    }

    private void tellSignal(OpenedStep step) {
        StepSpec spec = step.spec();
        step.heldSignal().ifPresent(signal -> {
            signal.usage().ifPresent(usage -> listener.used(spec.runId(), spec.stepId(), usage));
            listener.signalled(spec.runId(), spec.stepId(), signal);
        });
    }

    private void lookAtOutput(OpenedStep step) {
        step.look(() -> outcomes.outputSoFar(step))
                .onComplete(output -> heard(step, output), cause -> unheard(step, cause));
    }

    private void unheard(OpenedStep step, Throwable cause) {
        if (TransientFailure.is(cause) || TransientFailure.isShutdown(cause)) {
            LOG.debug("what {} says cannot be read yet", step.spec().stepId(), cause);
        } else {
            listener.flawed(step, cause);
        }
    }

    /** Its success counts. Asked at each look until it has ended. */
    private void endLingering(StepSpec spec) {
        ProcessChannels.STOP
                .ask(vertx.eventBus(), new StopStep(spec.runId(), spec.stepId(), false, ExitCause.IDLE), PATIENCE)
                .onFailure(cause -> LOG.warn(
                        "run {}: {} does not end after its final record: {}",
                        spec.runId(),
                        spec.stepId(),
                        cause.getMessage()));
    }

    private void heard(OpenedStep step, OutputSoFar output) {
        StepSpec spec = step.spec();
        if (step.isNews(output.usage())) {
            listener.used(spec.runId(), spec.stepId(), output.usage());
        }
        if (step.isNewlyTruncated()) {
            listener.truncated(spec.runId(), spec.stepId());
        }
        if (output.lingers()) {
            endLingering(spec);
        }
        step.newRetry(output.retries()).ifPresent(retry -> listener.retries(spec.runId(), spec.stepId(), retry));
        output.activity().ifPresent(text -> {
            step.does(text, Instants.now());
            listener.does(spec.runId());
        });
    }
}
