package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Instants;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Counts events from the event bus and serves {@link MetricsChannels#SCRAPE}. Deploy before the scheduler. */
public final class MetricsVerticle extends VerticleBase {
    private static final Duration TICK = Duration.ofMillis(500);
    private static final int PAGE = 1000;

    private final Meters meters;
    private final RunMetrics runs;
    private final EventStore store;
    private final Predicate<String> isOwn;
    private long due;

    /**
     * Starts all counters at zero.
     *
     * @param store read once, for the runs that are open at the start
     * @param dataFolder folder whose disk is measured
     * @param isOwn whether this process owns the run with this id; other runs are not measured
     * @param more has the same meters
     */
    public MetricsVerticle(EventStore store, Path dataFolder, Predicate<String> isOwn, Optional<MeterRegistry> more) {
        this.meters = new Meters(more);
        this.runs = new RunMetrics(meters, System::nanoTime);
        this.store = store;
        this.isOwn = isOwn;
        meters.watch(dataFolder);
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        var bus = vertx.eventBus();
        tick();
        return Future.all(List.of(
                        StoreChannels.OWN_EVENTS
                                .listen(bus, event -> runs.count(event.event()))
                                .completion(),
                        StoreChannels.EVENTS
                                .listen(bus, event -> runs.follow(event.event()))
                                .completion(),
                        StoreChannels.SYNCED
                                .listen(bus, fact -> meters.append.record(Duration.ofNanos(fact.nanos())))
                                .completion(),
                        ProcessChannels.LAUNCHED.listen(bus, runs::launched).completion(),
                        MetricsChannels.SCRAPE.serve(bus, this::scrape)))
                .compose(listening -> find(Optional.empty()));
    }

    private Future<Void> find(Optional<String> cursor) {
        return store.list(new RunQuery(RunStatus.OPEN, PAGE, cursor)).compose(page -> {
            page.runs().forEach(this::found);
            return page.nextCursor().isEmpty() ? Future.succeededFuture() : find(page.nextCursor());
        });
    }

    private void found(RunRow row) {
        Optional<Pause> pause = row.run().flatMap(Run::pause);
        Instant since = pause.map(Pause::since).orElse(row.createdAt());
        runs.found(
                row.runId(),
                row.status(),
                since,
                pause.map(known -> known.reason().wire()));
    }

    private Future<MetricsText> scrape(ScrapeMetrics asked) {
        LoadedRuns loaded = LoadedRuns.in(vertx);
        meters.update(asked, Instants.now(), isOwn, runId -> loaded.find(runId).isPresent());
        return PolicyMetrics.Figures.of(vertx.eventBus(), Instants.now()).compose(policy -> {
            meters.policy(policy);
            return vertx.executeBlocking(() -> new MetricsText(meters.scrape()), false);
        });
    }

    @Override
    public Future<?> stop() {
        meters.leave();
        return Future.succeededFuture();
    }

    private void tick() {
        due = System.nanoTime() + TICK.toNanos();
        vertx.setTimer(TICK.toMillis(), fired -> {
            meters.loopDelay.record(Duration.ofNanos(Math.max(0, System.nanoTime() - due)));
            tick();
        });
    }
}
