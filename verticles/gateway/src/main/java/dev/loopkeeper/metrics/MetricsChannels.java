package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.RequestChannel;

/** Event-bus channels of metrics. */
public final class MetricsChannels {
    /** Returns all metrics. */
    public static final RequestChannel<ScrapeMetrics, MetricsText> SCRAPE =
            new RequestChannel<>("loopkeeper.metrics.scrape", ScrapeMetrics.class, MetricsText.class);

    private MetricsChannels() {}
}
