package dev.loopkeeper.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.contract.ScheduleChannels.ListSchedules;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.GetCaps;
import dev.loopkeeper.store.StoreChannels.GetPools;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Pools;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Gauges of pools, caps and schedules; what a policy does not have has no series. */
final class PolicyMetrics {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final MultiGauge places;
    private final MultiGauge used;
    private final MultiGauge poolWaiting;
    private final MultiGauge coolDown;
    private final MultiGauge share;
    private final MultiGauge capWaiting;
    private final MultiGauge failed;

    /** What a policy holds at the moment. */
    record Figures(Instant at, List<Pools.Entry> pools, List<Caps.Entry> caps, JsonNode schedules) {
        /** Requests the figures; a part that is unavailable, like the store, has none. */
        static Future<Figures> of(EventBus bus, Instant now) {
            Future<List<Pools.Entry>> pools = StoreChannels.POOLS
                    .ask(bus, new GetPools(), PATIENCE)
                    .map(Pools::pools)
                    .otherwise(List.of());
            Future<List<Caps.Entry>> caps = StoreChannels.CAPS
                    .ask(bus, new GetCaps(), PATIENCE)
                    .map(Caps::caps)
                    .otherwise(List.of());
            Future<JsonNode> schedules = ScheduleChannels.LIST
                    .ask(bus, new ListSchedules(Optional.empty()), PATIENCE)
                    .map(RunAnswer::document)
                    .map(answer ->
                            answer.map(document -> document.path("schedules")).orElse(MissingNode.getInstance()))
                    .otherwise(MissingNode.getInstance());
            return Future.all(pools, caps, schedules)
                    .map(all -> new Figures(now, pools.result(), caps.result(), schedules.result()));
        }

        private long coolSeconds(Pools.Entry pool) {
            return pool.coolUntil()
                    .map(until -> Math.max(0, Duration.between(at, until).toSeconds()))
                    .orElse(0L);
        }
    }

    PolicyMetrics(MeterRegistry registry) {
        places = gauge(registry, "pool.places", "Agents of the pool that may live at once");
        used = gauge(registry, "pool.used", "Agents that have a place of the pool");
        poolWaiting = gauge(registry, "pool.waiting.runs", "Runs that wait for the pool");
        coolDown = gauge(registry, "pool.cool.down.seconds", "Until the end of the cool-down of the pool");
        share = gauge(registry, "cap.used.ratio", "Used part of the cap in its window");
        capWaiting = gauge(registry, "cap.waiting.runs", "Runs that wait for the cap");
        failed = gauge(registry, "schedule.failed", "Whether the newest fire of the schedule failed");
    }

    static MultiGauge gauge(MeterRegistry registry, String name, String what) {
        return MultiGauge.builder("loopkeeper." + name).description(what).register(registry);
    }

    void update(Figures now) {
        set(
                places,
                "pool",
                now.pools.stream().filter(pool -> pool.places().isPresent()),
                Pools.Entry::name,
                pool -> pool.places().getAsInt());
        set(used, "pool", now.pools.stream(), Pools.Entry::name, Pools.Entry::used);
        set(poolWaiting, "pool", now.pools.stream(), Pools.Entry::name, Pools.Entry::waiting);
        set(coolDown, "pool", now.pools.stream(), Pools.Entry::name, now::coolSeconds);
        set(share, "cap", now.caps.stream(), Caps.Entry::name, Caps.Entry::share);
        set(capWaiting, "cap", now.caps.stream(), Caps.Entry::name, Caps.Entry::waitingRuns);
        set(
                failed,
                "schedule",
                StreamSupport.stream(now.schedules.spliterator(), false),
                schedule -> schedule.path("name").asText(),
                schedule -> schedule.hasNonNull("attention") ? 1 : 0);
    }

    static <T> void set(
            MultiGauge gauge, String tag, Stream<T> all, Function<T, String> name, Function<T, Number> value) {
        gauge.register(
                all.map(each -> Row.of(Tags.of(tag, name.apply(each)), value.apply(each)))
                        .toList(),
                true);
    }
}
