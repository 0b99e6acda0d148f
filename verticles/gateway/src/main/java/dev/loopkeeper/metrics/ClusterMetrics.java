package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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
        metrics.gauge(
                registry,
                "loopkeeper.lease.margin.seconds",
                "Until this node's processes would be ended",
                known -> seconds(known.marginMillis()));
        metrics.gauge(
                registry,
                "loopkeeper.lease.least.margin.seconds",
                "The least of that when a renewal came",
                known -> seconds(known.leastMarginMillis()));
        metrics.counter(registry, "loopkeeper.takeovers", "Runs that came to this node", NodeFigures::takeovers);
        metrics.counter(registry, "loopkeeper.fences", "Other nodes whose lease this one ended", NodeFigures::fences);
        metrics.counter(registry, "loopkeeper.lost.leases", "Leases that this node lost", NodeFigures::lostLeases);
        metrics.gauge(
                registry,
                "loopkeeper.cluster.commands.waiting",
                "Commands that no node has taken yet",
                known -> orUnknown(known.commandsWaiting()));
        metrics.gauge(
                registry,
                "loopkeeper.cluster.runs.without.node",
                "Open runs that no live node has",
                known -> orUnknown(known.runsWithoutNode()));
        return metrics;
    }

    void update(NodeFigures now) {
        figures = now;
    }

    private void gauge(MeterRegistry registry, String name, String what, ToDoubleFunction<NodeFigures> value) {
        Gauge.builder(name, this, all -> value.applyAsDouble(all.figures))
                .description(what)
                .register(registry);
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
