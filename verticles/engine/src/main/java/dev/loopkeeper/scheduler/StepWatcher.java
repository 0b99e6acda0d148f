package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.contract.SignalChannels.SignalSeen;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches the signal files and output of running steps and reports what they contain. Used from one context only. */
final class StepWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(StepWatcher.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Scheduler scheduler;
    private final Vertx vertx;
    private final OpenedSteps steps;
    private final StepOutcomes outcomes;
    private final SingleFlight<Void> reads = new SingleFlight<>(this::readAll);

    StepWatcher(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.vertx = scheduler.vertx;
        this.steps = scheduler.opened;
        this.outcomes = scheduler.outcomes;
    }

    /** Listens for signals and output from completion until the verticle is undeployed. */
    Future<Void> start() {
        var signals = SignalChannels.SEEN.listen(vertx.eventBus(), this::seen);
        var usages = ProcessChannels.USED.listen(
                vertx.eventBus(),
                used -> steps.find(used.runId(), used.stepId())
                        .filter(step -> !step.isEnding())
                        .ifPresent(step -> reportUsage(step.spec(), used.usage())));
        vertx.setPeriodic(LOOK_EVERY.toMillis(), tick -> reads.run());
        return Future.all(signals.completion(), usages.completion()).mapEmpty();
    }

    /** Reads the output of the steps whose logs have changed; most print nothing most of the time. */
    private Future<Void> readAll() {
        List<OpenedStep> open = List.copyOf(steps.all());
        return outcomes.withNews(open)
                .onSuccess(news -> news.forEach(this::readOutput))
                .onFailure(cause -> LOG.debug("the logs of open steps were not checked", cause))
                .mapEmpty();
    }

    /** The result of an ending step includes its signal. */
    private void seen(SignalSeen seen) {
        steps.find(seen.runId(), seen.stepId()).filter(step -> !step.isEnding()).ifPresent(step -> {
            seen.signal().usage().ifPresent(usage -> reportUsage(step.spec(), usage));
            scheduler.actors.deliver(
                    seen.runId(), new RunInput.SignalSeen(Instants.now(), seen.stepId(), seen.signal()));
        });
    }

    private void reportUsage(StepSpec spec, Usage usage) {
        scheduler.actors.loaded(spec.runId()).ifPresent(run -> {
            run.deliver(new RunInput.UsageSeen(Instants.now(), spec.stepId(), usage));
            if (usage.tokens().isPresent()) {
                Optional.ofNullable(run.state().steps().get(spec.stepId()))
                        .ifPresent(step -> scheduler.places.served(run.state(), step));
            }
        });
    }

    private void readOutput(OpenedStep step) {
        step.look(() -> outcomes.outputSoFar(step))
                .onComplete(output -> outputRead(step, output), cause -> readFailed(step, cause));
    }

    private void readFailed(OpenedStep step, Throwable cause) {
        if (TransientFailure.is(cause) || TransientFailure.isShutdown(cause)) {
            LOG.debug("the output of {} cannot be read yet", step.spec().stepId(), cause);
        } else {
            scheduler.actors.failed(step, cause);
        }
    }

    /**
     * Stops an agent that lingers after its success; the step still succeeds. Repeated at each read until it has ended.
     */
    private void endLingering(OpenedStep step, Duration idle) {
        StepSpec spec = step.spec();
        if (step.beginLingering()) {
            String message = "the agent of " + spec.stepId() + " did not exit after its final result; for "
                    + idle.toSeconds() + " s it printed nothing and changed no file, and is now ended";
            remark(step, "agent-lingers", message);
        }
        ProcessChannels.STOP
                .ask(vertx.eventBus(), new StopStep(spec.runId(), spec.stepId(), false, ExitCause.IDLE), TIMEOUT)
                .onFailure(cause -> LOG.warn(
                        "run {}: {} did not exit after its final record and could not be stopped: {}",
                        spec.runId(),
                        spec.stepId(),
                        cause.getMessage()));
    }

    private void outputRead(OpenedStep step, StepOutput.SoFar output) {
        StepSpec spec = step.spec();
        if (step.isNews(output.usage())) {
            reportUsage(spec, output.usage());
        }
        reportTruncation(step);
        output.lingers().ifPresent(idle -> endLingering(step, idle));
        step.newRetry(output.retries())
                .ifPresent(retry -> scheduler.actors.deliver(
                        spec.runId(), new RunInput.AgentRetries(Instants.now(), spec.stepId(), retry)));
        output.activity().ifPresent(text -> {
            step.does(text, Instants.now());
            scheduler.actors.loaded(spec.runId()).ifPresent(run -> scheduler.actors.publish(run.state()));
        });
    }

    /** Reports once that the agent of this step has truncated its log. */
    void reportTruncation(OpenedStep step) {
        if (step.isNewlyTruncated()) {
            String message = "the agent of " + step.spec().stepId()
                    + " truncated its own log: the removed output is lost; reading continues at the start of the file";
            remark(step, "log-truncated", message);
        }
    }

    /** Records a notice of this step. */
    void remark(OpenedStep step, String code, String message) {
        scheduler.actors.deliver(step.spec().runId(), new RunInput.Remark(Instants.now(), code, message));
    }
}
