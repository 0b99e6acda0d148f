package dev.loopkeeper.metrics;

/** Answer: the metrics in Prometheus' text format 0.0.4. */
public record MetricsText(String text) {}
