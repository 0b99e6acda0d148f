package dev.loopkeeper.metrics;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.PauseReason;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Where open runs stand, for how long, and why. Used from one context only; its gauges are read from anywhere. */
final class OpenRunMetrics {
    private static final String QUEUED = RunStatus.QUEUED.wire();
    private static final String PAUSED = RunStatus.PAUSED.wire();

    private final Map<String, Stay> stays = new HashMap<>();
    private final Map<String, AtomicLong> byStatus = new LinkedHashMap<>();
    private final Map<String, AtomicLong> pausedByReason = new LinkedHashMap<>();
    private final Map<String, AtomicLong> oldestByReason = new LinkedHashMap<>();
    private final AtomicLong queueLength = new AtomicLong();
    private final AtomicLong queueOldest = new AtomicLong();
    private final Timer queueWait;

    /** @param reason of a pause */
    private record Stay(String status, Instant since, Optional<String> reason) {}

    OpenRunMetrics(MeterRegistry registry, Timer queueWait) {
        this.queueWait = queueWait;
        for (String status : RunStatus.OPEN) {
            gauge(registry, "loopkeeper.runs", "Open runs", "status", status, byStatus);
        }
        for (String reason : WireName.all(PauseReason.class)) {
            gauge(registry, "loopkeeper.paused.runs", "Paused runs", "reason", reason, pausedByReason);
            gauge(
                    registry,
                    "loopkeeper.paused.oldest.seconds",
                    "How long the first of them has been paused",
                    "reason",
                    reason,
                    oldestByReason);
        }
        Gauge.builder("loopkeeper.queue.length", queueLength, AtomicLong::get)
                .description("Runs that wait for a place")
                .register(registry);
        Gauge.builder("loopkeeper.queue.oldest.seconds", queueOldest, AtomicLong::get)
                .description("How long the first of them has waited")
                .register(registry);
    }

    private static void gauge(
            MeterRegistry registry, String name, String what, String tag, String value, Map<String, AtomicLong> all) {
        AtomicLong number = all.computeIfAbsent(value, fresh -> new AtomicLong());
        Gauge.builder(name, number, AtomicLong::get)
                .description(what)
                .tag(tag, value)
                .register(registry);
    }

    /** The status that it was last heard to have. */
    Optional<String> status(String runId) {
        return Optional.ofNullable(stays.get(runId)).map(Stay::status);
    }

    /** It has this status, one of {@link RunStatus#OPEN}, from now on. */
    void become(String runId, String status, Instant at, Optional<String> reason) {
        Stay before = stays.get(runId);
        boolean waits = before != null && before.status().equals(QUEUED);
        // It keeps its turn, which counts from when it came.
        Instant since = waits && status.equals(QUEUED) ? before.since() : at;
        stays.put(runId, new Stay(status, since, reason));
    }

    /** It goes on, here; to be told before it {@link #become}s that. */
    void placed(String runId, Instant at) {
        Stay before = stays.get(runId);
        if (before != null && before.status().equals(QUEUED)) {
            queueWait.record(between(before.since(), at));
        }
    }

    /** It is not open any more. */
    void leave(String runId) {
        stays.remove(runId);
    }

    /**
     * Sets what is told.
     *
     * @param own whether a run is carried out here: where several share a store each tells of its own
     * @param loaded whether a run is carried out or waits for that; one that is held waits for a person
     */
    void tell(Instant now, Predicate<String> own, Predicate<String> loaded) {
        Map<String, Stay> mine = new HashMap<>();
        stays.forEach((runId, stay) -> {
            if (own.test(runId)) {
                mine.put(runId, stay);
            }
        });
        byStatus.forEach((status, number) -> number.set(mine.values().stream()
                .filter(stay -> stay.status().equals(status))
                .count()));
        List<Instant> queue = mine.entrySet().stream()
                .filter(each -> each.getValue().status().equals(QUEUED) && loaded.test(each.getKey()))
                .map(each -> each.getValue().since())
                .toList();
        queueLength.set(queue.size());
        queueOldest.set(oldest(queue.stream(), now));
        for (String reason : pausedByReason.keySet()) {
            List<Instant> paused = mine.values().stream()
                    .filter(stay -> stay.status().equals(PAUSED)
                            && stay.reason().filter(reason::equals).isPresent())
                    .map(Stay::since)
                    .toList();
            pausedByReason.get(reason).set(paused.size());
            oldestByReason.get(reason).set(oldest(paused.stream(), now));
        }
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
