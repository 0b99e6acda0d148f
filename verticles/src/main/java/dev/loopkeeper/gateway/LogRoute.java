package dev.loopkeeper.gateway;

import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** {@code GET /runs/{runId}/steps/{stepId}/log?stream=stdout&offset=0&limit=&follow=false}: the bytes themselves. */
final class LogRoute {
    private static final Set<String> STREAMS = Set.of("stdout", "stderr");

    private final Vertx vertx;
    private final RunDesk desk;
    private final LiveEvents events;
    private final Path dataFolder;

    LogRoute(Vertx vertx, RunDesk desk, LiveEvents events, Path dataFolder) {
        this.vertx = vertx;
        this.desk = desk;
        this.events = events;
        this.dataFolder = dataFolder;
    }

    List<Endpoint> endpoints() {
        return List.of(Endpoint.stream("/runs/{runId}/steps/{stepId}/log", this::log));
    }

    private void log(RoutingContext context) {
        String runId = Ids.run(context);
        String stepId = Ids.step(context);
        Query query = new Query(context);
        String stream = query.choices("stream", STREAMS).stream().findFirst().orElse("stdout");
        long offset = query.whole("offset", 0, Long.MAX_VALUE).orElse(0);
        long limit = query.whole("limit", 0, Long.MAX_VALUE).orElse(Long.MAX_VALUE);
        boolean follow = query.flag("follow");
        StepLog log = new StepLog(dataFolder, runId, stepId, stream);
        LogTransfer transfer = new LogTransfer(vertx, context.response(), log, offset, limit);
        desk.step(runId, stepId)
                .compose(step -> follow && LogFollow.running(step)
                        ? new LogFollow(vertx, desk, events, transfer, runId, stepId).run()
                        : transfer.upToNow())
                .onFailure(cause -> ProblemJson.write(context, cause));
    }
}
