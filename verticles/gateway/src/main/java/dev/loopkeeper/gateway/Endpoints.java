package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.data.WriteProbe;
import dev.loopkeeper.gateway.access.AllowedWorkspaces;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.feed.Feed;
import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.store.StepPages;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpConnection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Assembles all endpoints of the API.
 *
 * @param upgraded called with each connection that becomes a WebSocket; its result is run when that closes
 */
record Endpoints(
        Vertx vertx,
        GatewayOptions options,
        GatewayPorts ports,
        LiveEvents events,
        Feed feed,
        Function<HttpConnection, Runnable> upgraded) {
    /** @param exporters execute exports */
    List<Endpoint> all(PageRoutes pages, AllowedWorkspaces workspaces, WorkerExecutor exporters, RunWait waits) {
        SchedulerClient scheduler = new SchedulerClient(vertx.eventBus(), options.patience());
        ClusterClient cluster = new ClusterClient(vertx.eventBus(), options.patience());
        return Stream.of(
                        new SubmitRoute(ports.intake(), scheduler, workspaces).endpoints(),
                        new RunRoutes(vertx, ports.store(), scheduler, cluster, waits).endpoints(),
                        new AnswerRoutes(ports.store(), scheduler).endpoints(),
                        new HistoryRoutes(vertx, ports.store()).endpoints(),
                        new ControlRoutes(ports.intake(), scheduler, workspaces, waits).endpoints(),
                        new AskRoutes(scheduler, waits, options.dataFolder()).endpoints(),
                        new LogRoute(vertx, scheduler, cluster, events, options.dataFolder()).endpoints(),
                        new SessionRoutes(options, ports.maxRuns(), LoadedRuns.in(vertx), cluster).endpoints(),
                        new ProcessRoutes(scheduler, cluster).endpoints(),
                        new PruneRoute(scheduler).endpoints(),
                        new PolicyRoutes(scheduler, workspaces).endpoints(),
                        new McpRoutes(vertx).endpoints(),
                        new ScheduleRoutes(scheduler, System::getenv).endpoints(),
                        new DiffRoutes(scheduler, cluster, new StepPages(vertx, ports.store())).endpoints(),
                        new ExportRoute(vertx, exporters, scheduler, cluster, ports.store(), options.dataFolder())
                                .endpoints(),
                        new FeedRoutes(vertx, feed, options.feed(), upgraded).endpoints(),
                        new HealthRoutes(
                                        vertx,
                                        ports,
                                        new WriteProbe(options.dataFolder(), HealthRoutes.LEAST_DISK_BYTES),
                                        options.patience(),
                                        cluster)
                                .endpoints(),
                        new MetricsRoutes(vertx, feed, cluster, options.patience()).endpoints(),
                        pages.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
