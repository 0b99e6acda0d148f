package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.run.NodeFigures;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Every meter by name. Thread-safe. */
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

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicLong feedClients = new AtomicLong();
    private final AtomicLong feedLag = new AtomicLong();
    private final AtomicLong feedLagged = new AtomicLong();
    private final Timer stepOverhead = timer("loopkeeper.step.overhead", "From a step being durable to its process");
    private final Timer stop = timer("loopkeeper.stop", "From a run being told to stop to its end");
    private final Timer append = timer("loopkeeper.append", "Making events durable, the wait for others included");
    private final Timer loopDelay = timer("loopkeeper.event.loop.delay", "How late a timer of an event loop fires");
    // Not "created": Prometheus keeps that ending for itself and takes it off.
    private final Counter runsCreated = counter("loopkeeper.runs.submitted", "Runs created");
    private final Counter stepsStarted = counter("loopkeeper.steps.started", "Steps started");
    private final Counter sweeps = counter("loopkeeper.sweeps", "Steps that left processes behind");
    private final Counter swept = counter("loopkeeper.swept.processes", "Processes that steps had left behind");
    private final Counter survivors = counter("loopkeeper.sweep.survivors", "Processes that would not die");
    private final Counter adopted =
            counter("loopkeeper.steps.adopted", "Living agents that were taken over after a restart");
    private final Counter retries =
            counter("loopkeeper.step.retries", "Steps tried again after an error that may pass");
    private final OpenRunMetrics openRuns =
            new OpenRunMetrics(registry, timer("loopkeeper.queue.wait", "From a run being told to go on to its place"));
    private final AgentMetrics agents = new AgentMetrics(registry);
    /** Held here, since the registry holds none of what it reads. */
    private Optional<ClusterMetrics> cluster = Optional.empty();

    Meters() {
        Gauge.builder("loopkeeper.feed.clients", feedClients, AtomicLong::get)
                .description("Clients of the feed")
                .register(registry);
        Gauge.builder("loopkeeper.feed.lag.events", feedLag, AtomicLong::get)
                .description("Events that the slowest live client of the feed is behind")
                .register(registry);
        FunctionCounter.builder("loopkeeper.feed.lagged", feedLagged, AtomicLong::get)
                .description("Clients of the feed that were closed because they were too slow")
                .register(registry);
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** Where open runs stand. */
    OpenRunMetrics openRuns() {
        return openRuns;
    }

    /** What steps cost. */
    AgentMetrics agents() {
        return agents;
    }

    /** From now on the data folder is looked at, too. */
    void watch(Path dataFolder) {
        new DiskMetrics(dataFolder).register(registry);
    }

    void stepAdopted() {
        adopted.increment();
    }

    void stepRetried() {
        retries.increment();
    }

    void feed(int clients, int lag, long lagged) {
        feedLag.set(lag);
        feedClients.set(clients);
        feedLagged.set(lagged);
    }

    /** This server is a node of a cluster. */
    synchronized void node(NodeFigures figures) {
        if (cluster.isEmpty()) {
            cluster = Optional.of(ClusterMetrics.in(registry, figures));
        }
        cluster.get().tell(figures);
    }

    void runCreated() {
        runsCreated.increment();
    }

    void runEnded(String status, String subtype) {
        Counter.builder("loopkeeper.runs.ended")
                .description("Executions of runs that ended")
                .tag("status", status)
                .tag("termination", subtype)
                .register(registry)
                .increment();
    }

    void stepStarted() {
        stepsStarted.increment();
    }

    void stepFinished(String status) {
        Counter.builder("loopkeeper.steps.finished")
                .description("Steps finished")
                .tag("status", status)
                .register(registry)
                .increment();
    }

    void swept(int processes, int alive) {
        sweeps.increment();
        swept.increment(processes);
        survivors.increment(alive);
    }

    Timer stepOverhead() {
        return stepOverhead;
    }

    Timer stop() {
        return stop;
    }

    Timer append() {
        return append;
    }

    Timer loopDelay() {
        return loopDelay;
    }

    /** Text format 0.0.4. Its first call loads many classes. */
    String scrape() {
        return registry.scrape();
    }
}
