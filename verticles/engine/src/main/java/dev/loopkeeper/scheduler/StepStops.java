package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.work.Retries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the processes of steps. Every request is repeated until it is answered. Used from one context only. */
final class StepStops {
    private static final Logger LOG = LoggerFactory.getLogger(StepStops.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final Vertx vertx;
    private final EventBus bus;
    private final OpenedSteps steps;
    /** Steps whose stop is repeated until it is answered; the value says whether without grace. */
    private final Map<String, Boolean> stops = new HashMap<>();

    StepStops(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.vertx = scheduler.vertx;
        this.bus = vertx.eventBus();
        this.steps = scheduler.opened;
    }

    /** Kills the step's remaining processes; repeated until answered, since they may still run. */
    Future<KillReceipt> endProcesses(String runId, String stepId) {
        return Retries.every(
                vertx,
                RETRY_DELAY,
                cause -> {
                    LOG.warn("run {}: stopping {} failed, retrying: {}", runId, stepId, cause.getMessage());
                    return true;
                },
                () -> ProcessChannels.STOP.ask(bus, new StopStep(runId, stepId, true, ExitCause.STOPPED), TIMEOUT));
    }

    /** Calls {@link #stop}, and retries if it throws. */
    void stopWhateverBreaks(String runId, String stepId) {
        try {
            stop(runId, stepId, false);
        } catch (RuntimeException | Error failure) {
            LOG.error("run {}: stopping {} failed unexpectedly, retrying", runId, stepId, failure);
            vertx.setTimer(RETRY_DELAY.toMillis(), tick -> stopWhateverBreaks(runId, stepId));
        }
    }

    /**
     * Stops a step's processes; the request is repeated until it is answered or the step has ended. A second stop is
     * sent once; the repeated request is the most urgent one.
     */
    void stop(String runId, String stepId, boolean now) {
        steps.find(runId, stepId).ifPresent(step -> {
            step.stopBy(
                    now
                            ? Duration.ZERO
                            : step.spec().agentSpec().limits().stop().grace());
            scheduler.hooks.limit(step);
            scheduler.hooks.endPreparation(step);
        });
        boolean first = stops.put(OpenedSteps.key(runId, stepId), now || isUrgent(runId, stepId)) == null;
        Future<?> asked = askToStop(runId, stepId, now);
        if (first) {
            asked.onComplete(
                    answered -> stops.remove(OpenedSteps.key(runId, stepId)),
                    cause -> stopAgainLater(runId, stepId, cause));
        } else {
            asked.onFailure(cause ->
                    LOG.warn("run {}: a second request to stop {} failed: {}", runId, stepId, cause.getMessage()));
        }
    }

    /** Whether one of the repeated stops skips the grace. */
    private boolean isUrgent(String runId, String stepId) {
        return stops.getOrDefault(OpenedSteps.key(runId, stepId), false);
    }

    private Future<?> askToStop(String runId, String stepId, boolean now) {
        StopStep command = new StopStep(runId, stepId, now, ExitCause.STOPPED);
        return scheduler
                .steps
                .launching(runId, stepId)
                .compose(known -> ProcessChannels.STOP.ask(bus, command, stopTimeout(runId, stepId)));
    }

    private void stopAgainLater(String runId, String stepId, Throwable cause) {
        LOG.warn("run {}: stopping {} failed, retrying: {}", runId, stepId, cause.getMessage());
        vertx.setTimer(RETRY_DELAY.toMillis(), tick -> stopAgain(runId, stepId));
    }

    /** Returns the grace of the agent plus the time to kill processes that ignore it. */
    private Duration stopTimeout(String runId, String stepId) {
        return steps.find(runId, stepId)
                .map(step ->
                        TIMEOUT.plus(step.spec().agentSpec().limits().stop().grace()))
                .orElse(TIMEOUT);
    }

    private void stopAgain(String runId, String stepId) {
        boolean now = isUrgent(runId, stepId);
        stops.remove(OpenedSteps.key(runId, stepId));
        if (steps.find(runId, stepId).isPresent()) {
            stop(runId, stepId, now);
        }
    }

    /** Forgets all stops. */
    void forgetAll() {
        stops.clear();
    }
}
