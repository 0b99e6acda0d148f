package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.RequestChannel;

/** Where metrics are asked for. */
public final class MetricsChannels {
    /** All of them. */
    public static final RequestChannel<ScrapeMetrics, MetricsText> SCRAPE =
            new RequestChannel<>("loopkeeper.metrics.scrape", ScrapeMetrics.class, MetricsText.class);

    private MetricsChannels() {}
}
