package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.BusEventStore;
import dev.loopkeeper.store.RunQuery;
import dev.loopkeeper.store.StoreChannels;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Counts and measures from the event bus, and answers {@link MetricsChannels#SCRAPE}. Deploy before the scheduler. */
public final class MetricsVerticle extends VerticleBase {
    private static final Duration TICK = Duration.ofMillis(500);
    private static final int PAGE = 1000;

    private final Meters meters = new Meters();
    private final RunMetrics runs = new RunMetrics(meters, System::nanoTime);
    private long due;

    /** Counts from zero with each new instance. */
    public MetricsVerticle() {}

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        var bus = vertx.eventBus();
        tick();
        return Future.all(List.of(
                        StoreChannels.EVENTS
                                .listen(bus, event -> runs.hear(event.event()))
                                .completion(),
                        StoreChannels.SYNCED
                                .listen(bus, fact -> meters.append().record(Duration.ofNanos(fact.nanos())))
                                .completion(),
                        ProcessChannels.LAUNCHED.listen(bus, runs::launched).completion(),
                        MetricsChannels.SCRAPE.serve(bus, this::scrape)))
                .compose(hearing -> find(Optional.empty()));
    }

    private Future<Void> find(Optional<String> cursor) {
        return new BusEventStore(vertx.eventBus())
                .list(new RunQuery(RunStatus.OPEN, PAGE, cursor))
                .compose(page -> {
                    page.runs().forEach(run -> runs.found(run.runId(), run.status()));
                    return page.nextCursor().isEmpty() ? Future.succeededFuture() : find(page.nextCursor());
                });
    }

    private Future<MetricsText> scrape(ScrapeMetrics asked) {
        meters.feed(asked.feedClients(), asked.feedLag(), asked.feedLagged());
        return vertx.executeBlocking(() -> new MetricsText(meters.scrape()), false);
    }

    private void tick() {
        due = System.nanoTime() + TICK.toNanos();
        vertx.setTimer(TICK.toMillis(), fired -> {
            meters.loopDelay().record(Duration.ofNanos(Math.max(0, System.nanoTime() - due)));
            tick();
        });
    }
}
