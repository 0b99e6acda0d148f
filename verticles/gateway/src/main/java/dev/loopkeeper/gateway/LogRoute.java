package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ListOpenSteps;
import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * {@code GET /runs/{runId}/steps/{stepId}/log?stream=stdout&offset=0&limit=&tail=&follow=false}: sends the bytes of a
 * log; {@code stream=prompt} is the prompt. With {@code view=readable} it sends what the agent said as a page of lines,
 * or with {@code follow} as one JSON object per line.
 */
final class LogRoute {
    /** Response header with the dialect of the step's standard output. */
    private static final String OUTPUT = "Loopkeeper-Output";

    static final List<String> STREAMS = List.of("stdout", "stderr", "prompt");
    private static final String READABLE = "readable";
    private static final List<String> VIEWS = List.of("raw", READABLE);

    private final Vertx vertx;
    private final SchedulerClient scheduler;
    private final ClusterClient cluster;
    private final LiveEvents events;
    private final Path dataFolder;

    LogRoute(Vertx vertx, SchedulerClient scheduler, ClusterClient cluster, LiveEvents events, Path dataFolder) {
        this.vertx = vertx;
        this.scheduler = scheduler;
        this.cluster = cluster;
        this.events = events;
        this.dataFolder = dataFolder;
    }

    List<Endpoint> endpoints() {
        return List.of(Endpoint.stream("/runs/{runId}/steps/{stepId}/log", this::log)
                .taking("stream", "offset", "limit", "follow", "view", "tail"));
    }

    private void log(RoutingContext context) {
        String runId = Ids.run(context);
        String stepId = Ids.step(context);
        Query query = new Query(context);
        String stream = query.choices("stream", STREAMS).stream().findFirst().orElse("stdout");
        long offset = query.whole("offset", 0, Long.MAX_VALUE).orElse(0);
        long limit = query.whole("limit", 0, Long.MAX_VALUE).orElse(Long.MAX_VALUE);
        boolean follow = query.flag("follow");
        boolean readable = query.choices("view", VIEWS).contains(READABLE);
        OptionalLong tail = query.whole("tail", 0, readable ? ReadableLog.MOST_LINES : Long.MAX_VALUE);
        refuse(tail.isPresent() && offset > 0, "tail", "cannot be given together with offset");
        if (readable && follow) {
            refuse(query.text("limit").isPresent(), "limit", "cannot be given together with follow and view=readable");
        }
        find(runId, stepId, stream)
                .compose(found -> readable
                        ? lines(context, found, stream, follow, offset, limit, tail)
                        : bytes(context, found, follow, offset, limit, tail))
                .onFailure(cause -> ProblemJson.write(context, cause));
    }

    private Future<Void> bytes(
            RoutingContext context, Found found, boolean follow, long offset, long limit, OptionalLong tail) {
        return from(context, found.log(), offset, tail).compose(begin -> {
            LogTransfer transfer = new LogTransfer(vertx, context.request(), found.log(), begin, limit);
            return follow && found.open() ? follow(transfer, found, Ids.run(context)) : transfer.upToNow();
        });
    }

    private Future<Void> lines(
            RoutingContext context,
            Found found,
            String stream,
            boolean follow,
            long offset,
            long limit,
            OptionalLong tail) {
        Callable<ReadableLog> lines = lines(found.log(), stream);
        if (follow) {
            return followLines(context, lines, found, offset, tail);
        }
        boolean ended = !found.open();
        return new PageTransfer(vertx, context.request(), () -> page(lines.call(), tail, offset, limit, ended)).send();
    }

    private Future<Void> follow(LogStream stream, Found found, String runId) {
        return new LogFollow(vertx, found.asking(), events, stream, runId).run();
    }

    private Future<Void> followLines(
            RoutingContext context, Callable<ReadableLog> lines, Found found, long offset, OptionalLong tail) {
        LinesTransfer transfer = new LinesTransfer(vertx, context.request(), found.log(), () -> {
            ReadableLog readable = lines.call();
            return tail.isPresent() ? readable.tail((int) tail.getAsLong()) : readable.start(offset);
        });
        if (found.open()) {
            return follow(transfer, found, Ids.run(context));
        }
        transfer.begin();
        return transfer.toTheEnd().compose(sent -> transfer.end());
    }

    /**
     * A log and whether it may grow.
     *
     * @param open whether the log may grow
     * @param asking asks again
     */
    private record Found(StepLog log, boolean open, Supplier<Future<Boolean>> asking) {}

    /** Reads the run's record only if the disk does not know the step: a run that cannot be read may have any step. */
    private Future<Found> find(String runId, String stepId, String stream) {
        StepLog log = new StepLog(dataFolder, runId, stepId, stream);
        ListOpenSteps steps = new ListOpenSteps(Optional.of(runId));
        Supplier<Future<Boolean>> asking =
                () -> scheduler.request(SchedulerChannels.OPEN_STEPS, steps).map(open -> open.mayHold(runId, stepId));
        return asking.get()
                .compose(open -> vertx.executeBlocking(log::hasFolder, false)
                        .compose(launched -> launched
                                ? Future.succeededFuture(new Found(log, open, asking))
                                : scheduler
                                        .step(runId, stepId)
                                        .compose(step -> open
                                                ? Future.succeededFuture(new Found(log, true, asking))
                                                : elsewhere(
                                                        new Found(
                                                                log,
                                                                step.endedAt().isEmpty(),
                                                                asking),
                                                        runId,
                                                        stepId,
                                                        stream))));
    }

    private Future<Found> elsewhere(Found here, String runId, String stepId, String stream) {
        return cluster.elsewhere(runId, stepId)
                .compose(other ->
                        other.isEmpty() ? Future.succeededFuture(here) : remote(other.get(), runId, stepId, stream));
    }

    private Future<Found> remote(Node node, String runId, String stepId, String stream) {
        StepLog log = new StepLog(new RemoteLog(cluster, node, runId, stepId, stream));
        ListOpenSteps steps = new ListOpenSteps(Optional.of(runId));
        Supplier<Future<Boolean>> asking =
                () -> cluster.at(node, SchedulerChannels.OPEN_STEPS, steps).map(open -> open.mayHold(runId, stepId));
        return asking.get().map(open -> new Found(log, open, asking));
    }

    private static void refuse(boolean wrong, String name, String why) {
        if (wrong) {
            throw Problem.invalidAt(name, why);
        }
    }

    /** Reads the agent's dialect from disk. */
    private static Callable<ReadableLog> lines(StepLog log, String stream) {
        return () -> {
            LongFunction<SaidLines> readers = SaidLines::ofErrors;
            if (stream.equals("stdout")) {
                OutputDialect dialect = log.output();
                readers = from -> SaidLines.ofOutput(dialect, from);
            }
            return new ReadableLog(log, readers);
        };
    }

    private static LinesPage page(ReadableLog lines, OptionalLong tail, long offset, long limit, boolean ended)
            throws IOException {
        return tail.isPresent() ? lines.tail((int) tail.getAsLong(), ended) : lines.from(offset, limit, ended);
    }

    /** Returns the first offset, and sets the header with the dialect. */
    private Future<Long> from(RoutingContext context, StepLog log, long offset, OptionalLong tail) {
        return vertx.executeBlocking(log::output, false).compose(dialect -> {
            context.response().putHeader(OUTPUT, dialect.wire());
            return tail.isEmpty()
                    ? Future.succeededFuture(offset)
                    : vertx.executeBlocking(() -> log.tail(tail.getAsLong()), false);
        });
    }
}
