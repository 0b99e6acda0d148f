package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.feed.Feed;
import dev.loopkeeper.gateway.http.ClientGone;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.metrics.MetricsChannels;
import dev.loopkeeper.metrics.ScrapeMetrics;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;

/** Serves the metrics to Prometheus. */
record MetricsRoutes(Vertx vertx, Feed feed, ClusterClient cluster, Duration patience) {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    List<Endpoint> endpoints() {
        return List.of(Endpoint.document("/metrics", this::scrape).bare());
    }

    private void scrape(RoutingContext context) {
        cluster.figures()
                .compose(node -> MetricsChannels.SCRAPE.ask(
                        vertx.eventBus(), new ScrapeMetrics(feed.clients(), feed.lag(), feed.lagged(), node), patience))
                .onComplete(
                        metrics -> context.response()
                                .putHeader(HttpHeaders.CONTENT_TYPE, TEXT)
                                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                                .end(metrics.text())
                                .onFailure(ClientGone::note),
                        cause -> ProblemJson.write(context, cause));
    }
}
