package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Metrics of a cluster node's lease and of work that waits for a node. Thread-safe. */
final class ClusterMetrics {
    private volatile NodeFigures figures;

    private ClusterMetrics(NodeFigures figures) {
        this.figures = figures;
    }

    /** Registers the metrics with their first values. */
    static ClusterMetrics in(MeterRegistry registry, NodeFigures first) {
        ClusterMetrics metrics = new ClusterMetrics(first);
        Meters.gauge(
                registry,
                "lease.margin.seconds",
                "Until this node's processes would be ended",
                () -> seconds(metrics.figures.marginMillis()));
        Meters.gauge(
                registry,
                "lease.least.margin.seconds",
                "The least of that when a renewal came",
                () -> seconds(metrics.figures.leastMarginMillis()));
        metrics.counter(registry, "loopkeeper.takeovers", "Runs that came to this node", NodeFigures::takeovers);
        metrics.counter(registry, "loopkeeper.fences", "Other nodes whose lease this one ended", NodeFigures::fences);
        metrics.counter(registry, "loopkeeper.lost.leases", "Leases that this node lost", NodeFigures::lostLeases);
        Meters.gauge(
                registry,
                "cluster.commands.waiting",
                "Commands that no node has taken yet",
                () -> orUnknown(metrics.figures.commandsWaiting()));
        Meters.gauge(
                registry,
                "cluster.runs.without.node",
                "Open runs that no live node has",
                () -> orUnknown(metrics.figures.runsWithoutNode()));
        return metrics;
    }

    void update(NodeFigures now) {
        figures = now;
    }

    private void counter(MeterRegistry registry, String name, String what, ToDoubleFunction<NodeFigures> value) {
        FunctionCounter.builder(name, this, all -> value.applyAsDouble(all.figures))
                .description(what)
                .register(registry);
    }

    private static double seconds(long millis) {
        return millis / (double) TimeUnit.SECONDS.toMillis(1);
    }

    private static double orUnknown(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : Double.NaN;
    }
}
