package dev.loopkeeper.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Updates meters from events on the event bus. Used from one context only. */
final class RunMetrics {
    private static final Map<String, String> STATUSES = Map.of(
            "run.created", "queued",
            "run.queued", "queued",
            "run.started", "running",
            "run.resumed", "running",
            "step.started", "running",
            "run.paused", "paused",
            "run.waiting", "waiting",
            "run.stopping", "stopping");

    private final Meters meters;
    private final LongSupplier nanos;
    private final Map<String, Instant> stopping = new HashMap<>();
    private final Map<Step, Long> launching = new HashMap<>();

    /** @param nanos clock for differences only */
    RunMetrics(Meters meters, LongSupplier nanos) {
        this.meters = meters;
        this.nanos = nanos;
    }

    /**
     * Adds a run that was open at the start, unless a newer event was received already.
     *
     * @param since when it got this status, as far as known
     * @param reason of the pause, if paused
     */
    void found(String runId, String status, Instant since, Optional<String> reason) {
        if (RunStatus.OPEN.contains(status) && meters.openRuns.status(runId).isEmpty()) {
            meters.openRuns.setStatus(runId, status, since, reason);
        }
    }

    /**
     * Counts an event that this process appended. Call before {@link #follow}, which removes the start of waits and
     * stops.
     */
    void count(StoredEvent event) {
        switch (event.type()) {
            case "run.created" -> meters.runsCreated.increment();
            case "run.ended" -> ended(event);
            case "step.started" -> started(event);
            case "step.finished" -> finished(event);
            case "step.swept" -> swept(event.data());
            case "step.retrying" -> meters.retries.increment();
            default -> {}
        }
        if (RunStatus.RUNNING.wire().equals(STATUSES.get(event.type()))) {
            meters.openRuns.slotTaken(event.runId(), event.at());
        }
    }

    /** Tracks an event of any run; this node may take over runs of other nodes. */
    void follow(StoredEvent event) {
        switch (event.type()) {
            case "run.stopping" -> stopping(event);
            case "run.ended" -> left(event.runId());
            default -> {}
        }
        become(event);
    }

    /** A step that starts while its run is stopping does not change the status. */
    private void become(StoredEvent event) {
        String status = STATUSES.get(event.type());
        boolean stops =
                meters.openRuns.status(event.runId()).filter("stopping"::equals).isPresent();
        if (status == null || (event.type().equals("step.started") && stops)) {
            return;
        }
        Optional<String> reason = Optional.of(event.data().path("reason"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
        meters.openRuns.setStatus(event.runId(), status, event.at(), reason);
    }

    private void started(StoredEvent event) {
        meters.stepsStarted.increment();
        launching.put(step(event), nanos.getAsLong());
    }

    private void finished(StoredEvent event) {
        JsonNode result = event.data().path("result");
        meters.stepFinished(result.path("status").asText());
        meters.agents.used(
                event.data().path("agent").asText(),
                result.path("usage"),
                event.data().path("costUnknown").asBoolean());
        launching.remove(step(event));
    }

    private static Step step(StoredEvent event) {
        return new Step(event.runId(), event.data().path("stepId").asText());
    }

    private void swept(JsonNode data) {
        meters.swept(data.path("count").asInt(), data.path("survivors").size());
    }

    /** Ignores a graceful stop, which waits for steps to finish. */
    private void stopping(StoredEvent event) {
        if (!event.data().path("graceful").asBoolean()) {
            stopping.putIfAbsent(event.runId(), event.at());
        }
    }

    private void ended(StoredEvent event) {
        JsonNode data = event.data();
        meters.runEnded(
                data.path("status").asText(), data.at("/termination/subtype").asText());
        Instant since = stopping.get(event.runId());
        if (since != null) {
            meters.stop.record(Duration.between(since, event.at()));
        }
    }

    private void left(String runId) {
        stopping.remove(runId);
        launching.keySet().removeIf(step -> step.runId().equals(runId));
        meters.openRuns.remove(runId);
    }

    /** Called when the process of a step has started. */
    void launched(StepLaunched launched) {
        if (launched.adopted()) {
            meters.adopted.increment();
        }
        Long since = launching.remove(new Step(launched.runId(), launched.stepId()));
        if (since != null && launched.pid().isPresent() && !launched.adopted()) {
            meters.stepOverhead.record(Duration.ofNanos(nanos.getAsLong() - since));
        }
    }

    /** A step without a process yet. */
    private record Step(String runId, String stepId) {}
}
