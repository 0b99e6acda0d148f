package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import dev.loopkeeper.work.Release;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Holds all meters. Thread-safe. */
final class Meters {
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
    };

    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry(Clock.SYSTEM, List.of(prometheus));
    private final Optional<MeterRegistry> more;
    private final JvmGcMetrics garbage = new JvmGcMetrics();
    private volatile ScrapeMetrics feed = new ScrapeMetrics(0, 0, 0, Optional.empty());
    final Timer stepOverhead =
            timer("loopkeeper.step.overhead", "From a durable step.started event to the step's process");
    final Timer stop = timer("loopkeeper.stop", "From a durable run.stopping event to the run's end");
    final Timer append = timer("loopkeeper.append", "Making events durable, including queueing");
    final Timer loopDelay = timer("loopkeeper.event.loop.delay", "How late a timer of an event loop fires");
    // Not "created": Prometheus reserves that suffix and removes it.
    final Counter runsCreated = counter("loopkeeper.runs.submitted", "Runs created");
    final Counter stepsStarted = counter("loopkeeper.steps.started", "Steps started");
    private final Counter sweeps = counter("loopkeeper.sweeps", "Steps that left processes behind");
    private final Counter swept = counter("loopkeeper.swept.processes", "Processes that steps had left behind");
    private final Counter survivors = counter("loopkeeper.sweep.survivors", "Processes that could not be killed");
    final Counter adopted = counter("loopkeeper.steps.adopted", "Living agents that were taken over after a restart");
    final Counter retries = counter("loopkeeper.step.retries", "Steps retried after a transient error");
    final OpenRunMetrics openRuns =
            new OpenRunMetrics(registry, timer("loopkeeper.queue.wait", "From queueing a run to its slot"));
    final AgentMetrics agents = new AgentMetrics(registry);
    private final PolicyMetrics policy = new PolicyMetrics(registry);
    /** A field, because the registry references gauge sources weakly. */
    private Optional<ClusterMetrics> cluster = Optional.empty();

    Meters() {
        this(Optional.empty());
    }

    /** @param more has the same meters until {@link #leave} */
    Meters(Optional<MeterRegistry> more) {
        this.more = more;
        more.ifPresent(registry::add);
        Gauge.builder("loopkeeper.build.info", () -> 1)
                .description("The release, and the Java that runs it")
                .tag("version", Release.version())
                .tag("java", Runtime.version().toString())
                .register(registry);
        // Not in the other registry, whose program measures itself.
        List.of(
                        garbage,
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new FileDescriptorMetrics(),
                        new ProcessorMetrics(),
                        new UptimeMetrics())
                .forEach(meters -> meters.bindTo(prometheus));
        gauge(registry, "feed.clients", "Clients of the feed", () -> feed.feedClients());
        gauge(
                registry,
                "feed.lag.events",
                "Events that the slowest live client of the feed is behind",
                () -> feed.feedLag());
        FunctionCounter.builder("loopkeeper.feed.lagged", this, all -> all.feed.feedLagged())
                .description("Clients of the feed that were closed because they were too slow")
                .register(registry);
    }

    /** Adds a gauge that is read at each scrape. */
    static void gauge(MeterRegistry registry, String name, String what, Supplier<Number> value) {
        Gauge.builder("loopkeeper." + name, value).description(what).register(registry);
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    /** Adds the meters of the data folder's disk. */
    void watch(Path dataFolder) {
        new DiskMetrics(dataFolder).register(registry);
    }

    /** Removes the meters from the other registry, and stops to listen to collections of garbage. */
    void leave() {
        garbage.close();
        more.ifPresent(other -> {
            registry.remove(other);
            registry.forEachMeter(meter -> other.remove(meter.getId()));
        });
    }

    /** Sets what only a scrape reads; synchronized, since a scrape that is under way reads all series. */
    synchronized void update(ScrapeMetrics asked, Instant now, Predicate<String> own, Predicate<String> loaded) {
        feed = asked;
        openRuns.update(now, own, loaded);
        asked.node().ifPresent(this::node);
    }

    /** Sets the figures of the cluster node that this server is. */
    private void node(NodeFigures figures) {
        if (cluster.isEmpty()) {
            cluster = Optional.of(ClusterMetrics.in(registry, figures));
        }
        cluster.get().update(figures);
    }

    /** Sets the gauges of the policy. */
    synchronized void policy(PolicyMetrics.Figures now) {
        policy.update(now);
    }

    void runEnded(String status, String subtype) {
        counter("loopkeeper.runs.ended", "Executions of runs that ended", "status", status, "termination", subtype)
                .increment();
    }

    void stepFinished(String status) {
        counter("loopkeeper.steps.finished", "Steps finished", "status", status).increment();
    }

    void swept(int processes, int alive) {
        sweeps.increment();
        swept.increment(processes);
        survivors.increment(alive);
    }

    /** Text format 0.0.4. The first call loads many classes. */
    synchronized String scrape() {
        return prometheus.scrape();
    }
}
