package dev.loopkeeper.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.process.StepLaunched;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reads the meters off what is told on the event bus. Used from one context only. */
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

    /** @param nanos a clock that only serves differences */
    RunMetrics(Meters meters, LongSupplier nanos) {
        this.meters = meters;
        this.nanos = nanos;
    }

    /**
     * A run that was there before; what was heard of it already is newer.
     *
     * @param since when it got this status, as far as is known
     * @param reason of a pause
     */
    void found(String runId, String status, Instant since, Optional<String> reason) {
        if (RunStatus.OPEN.contains(status) && meters.openRuns().status(runId).isEmpty()) {
            meters.openRuns().become(runId, status, since, reason);
        }
    }

    /** An event that was appended here; before {@link #follow}, which forgets since when a run waited or stopped. */
    void count(StoredEvent event) {
        switch (event.type()) {
            case "run.created" -> meters.runCreated();
            case "run.ended" -> ended(event);
            case "step.started" -> started(event);
            case "step.finished" -> finished(event);
            case "step.swept" -> swept(event.data());
            case "step.retrying" -> meters.stepRetried();
            default -> {}
        }
        if (RunStatus.RUNNING.wire().equals(STATUSES.get(event.type()))) {
            meters.openRuns().placed(event.runId(), event.at());
        }
    }

    /** An event of any run, also one that another node carries out and that may be carried on here. */
    void follow(StoredEvent event) {
        switch (event.type()) {
            case "run.stopping" -> stopping(event);
            case "run.ended" -> left(event.runId());
            default -> {}
        }
        become(event);
    }

    /** A step that starts while the run stops does not undo that. */
    private void become(StoredEvent event) {
        String status = STATUSES.get(event.type());
        boolean stops = meters.openRuns()
                .status(event.runId())
                .filter("stopping"::equals)
                .isPresent();
        if (status == null || (event.type().equals("step.started") && stops)) {
            return;
        }
        Optional<String> reason = Optional.of(event.data().path("reason"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
        meters.openRuns().become(event.runId(), status, event.at(), reason);
    }

    private void started(StoredEvent event) {
        meters.stepStarted();
        launching.put(step(event), nanos.getAsLong());
    }

    private void finished(StoredEvent event) {
        JsonNode result = event.data().path("result");
        meters.stepFinished(result.path("status").asText());
        meters.agents()
                .used(
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

    /** What runs is left to end by itself where the stop is graceful, so that says nothing of stopping. */
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
            meters.stop().record(Duration.between(since, event.at()));
        }
    }

    private void left(String runId) {
        stopping.remove(runId);
        launching.keySet().removeIf(step -> step.runId().equals(runId));
        meters.openRuns().leave(runId);
    }

    /** The process of a step has begun. */
    void launched(StepLaunched launched) {
        if (launched.adopted()) {
            meters.stepAdopted();
        }
        Long since = launching.remove(new Step(launched.runId(), launched.stepId()));
        if (since != null && launched.pid().isPresent() && !launched.adopted()) {
            meters.stepOverhead().record(Duration.ofNanos(nanos.getAsLong() - since));
        }
    }

    /** A step that has no process yet. */
    private record Step(String runId, String stepId) {}
}
