package dev.loopkeeper.metrics;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.PauseReason;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Measures open runs by status and pause reason, and how long they have waited. Used from one context; any thread reads
 * its gauges.
 */
final class OpenRunMetrics {
    private static final String QUEUED = RunStatus.QUEUED.wire();
    private static final String PAUSED = RunStatus.PAUSED.wire();

    private final Map<String, StatusSince> statuses = new HashMap<>();
    private final MultiGauge open;
    private final MultiGauge paused;
    private final MultiGauge oldestPause;
    private final AtomicLong queueLength = new AtomicLong();
    private final AtomicLong queueOldest = new AtomicLong();
    private final Timer queueWait;

    /** @param reason of the pause, if paused */
    private record StatusSince(String status, Instant since, Optional<String> reason) {}

    OpenRunMetrics(MeterRegistry registry, Timer queueWait) {
        this.queueWait = queueWait;
        open = PolicyMetrics.gauge(registry, "runs", "Open runs");
        paused = PolicyMetrics.gauge(registry, "paused.runs", "Paused runs");
        oldestPause = PolicyMetrics.gauge(registry, "paused.oldest.seconds", "Age of the oldest pause");
        Meters.gauge(registry, "queue.length", "Runs that wait for a slot", queueLength::get);
        Meters.gauge(registry, "queue.oldest.seconds", "Waiting time of the first run in the queue", queueOldest::get);
    }

    /** Returns the last known status. */
    Optional<String> status(String runId) {
        return Optional.ofNullable(statuses.get(runId)).map(StatusSince::status);
    }

    /** Sets the status, one of {@link RunStatus#OPEN}. */
    void setStatus(String runId, String status, Instant at, Optional<String> reason) {
        StatusSince before = statuses.get(runId);
        boolean waits = before != null && before.status().equals(QUEUED);
        // A queued run keeps its position, which counts from its first queueing.
        Instant since = waits && status.equals(QUEUED) ? before.since() : at;
        statuses.put(runId, new StatusSince(status, since, reason));
    }

    /** Records the queue wait of a run that starts here. Call before {@link #setStatus}. */
    void slotTaken(String runId, Instant at) {
        StatusSince before = statuses.get(runId);
        if (before != null && before.status().equals(QUEUED)) {
            queueWait.record(between(before.since(), at));
        }
    }

    /** Called when the run has ended. */
    void remove(String runId) {
        statuses.remove(runId);
    }

    /**
     * Sets the gauges.
     *
     * @param own whether this process owns the run; nodes that share a store each report their own runs
     * @param loaded whether the run is loaded, i.e. executes or waits for a slot; an unloaded queued run waits for a
     *     person
     */
    void update(Instant now, Predicate<String> own, Predicate<String> loaded) {
        Map<String, StatusSince> mine = new HashMap<>();
        statuses.forEach((runId, known) -> {
            if (own.test(runId)) {
                mine.put(runId, known);
            }
        });
        PolicyMetrics.set(
                open,
                "status",
                RunStatus.OPEN.stream(),
                status -> status,
                status -> mine.values().stream()
                        .filter(known -> known.status().equals(status))
                        .count());
        List<Instant> queue = mine.entrySet().stream()
                .filter(each -> each.getValue().status().equals(QUEUED) && loaded.test(each.getKey()))
                .map(each -> each.getValue().since())
                .toList();
        queueLength.set(queue.size());
        queueOldest.set(oldest(queue.stream(), now));
        List<String> reasons = WireName.all(PauseReason.class);
        PolicyMetrics.set(
                paused,
                "reason",
                reasons.stream(),
                reason -> reason,
                reason -> pauses(mine, reason).count());
        PolicyMetrics.set(
                oldestPause, "reason", reasons.stream(), reason -> reason, reason -> oldest(pauses(mine, reason), now));
    }

    private static Stream<Instant> pauses(Map<String, StatusSince> runs, String reason) {
        return runs.values().stream()
                .filter(known -> known.status().equals(PAUSED)
                        && known.reason().filter(reason::equals).isPresent())
                .map(StatusSince::since);
    }

    private static long oldest(Stream<Instant> all, Instant now) {
        return all.min(Comparator.naturalOrder())
                .map(first -> between(first, now).toSeconds())
                .orElse(0L);
    }

    private static Duration between(Instant from, Instant to) {
        return from.isAfter(to) ? Duration.ZERO : Duration.between(from, to);
    }
}
