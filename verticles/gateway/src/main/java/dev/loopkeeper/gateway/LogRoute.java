package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.contract.NodeChannels.ReadLog;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ListOpenSteps;
import dev.loopkeeper.contract.SchedulerChannels.OpenSteps;
import dev.loopkeeper.data.StepLog;
import dev.loopkeeper.gateway.feed.LiveEvents;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.LargeBodies;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.ProblemJson;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.work.Blocking;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * {@code GET /runs/{runId}/steps/{stepId}/log?stream=stdout&offset=0&limit=&tail=&follow=false}: sends the bytes of a
 * log; {@code stream=prompt} is the prompt. With {@code view=readable} it sends what the agent said as a page of lines,
 * or with {@code follow} as one JSON object per line.
 */
record LogRoute(Vertx vertx, SchedulerClient scheduler, ClusterClient cluster, LiveEvents events, Path dataFolder) {
    /** Response header with the dialect of the step's standard output. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final String OUTPUT = "Loopkeeper-Output";

    static final List<String> STREAMS = List.of("stdout", "stderr", "prompt");
    private static final String READABLE = "readable";
    private static final List<String> VIEWS = List.of("raw", READABLE);

    List<Endpoint> endpoints() {
        return List.of(Endpoint.stream("/runs/{runId}/steps/{stepId}/log", this::log)
                .taking("stream", "offset", "limit", "follow", "view", "tail"));
    }

    /** What a client requests. */
    private record Asked(
            String runId,
            String stepId,
            String stream,
            boolean readable,
            boolean follow,
            long offset,
            long limit,
            OptionalLong tail) {
        static Asked of(RoutingContext context) {
            Query query = new Query(context);
            boolean readable = query.choices("view", VIEWS).contains(READABLE);
            Asked asked = new Asked(
                    Ids.run(context),
                    Ids.step(context),
                    query.choices("stream", STREAMS).stream().findFirst().orElse("stdout"),
                    readable,
                    query.flag("follow"),
                    query.whole("offset", 0, Long.MAX_VALUE).orElse(0),
                    query.whole("limit", 0, Long.MAX_VALUE).orElse(Long.MAX_VALUE),
                    query.whole("tail", 0, readable ? LogForm.Page.MOST_LINES : Long.MAX_VALUE));
            if (asked.tail.isPresent() && asked.offset > 0) {
                throw Problem.invalidAt("tail", "cannot be given together with offset");
            }
            if (readable && asked.follow && query.text("limit").isPresent()) {
                throw Problem.invalidAt("limit", "cannot be given together with follow and view=readable");
            }
            return asked;
        }
    }

    private void log(RoutingContext context) {
        Asked asked = Asked.of(context);
        find(asked).compose(found -> send(context, asked, found)).onFailure(cause -> ProblemJson.write(context, cause));
    }

    private Future<Void> send(RoutingContext context, Asked asked, Found found) {
        LogBody body = new LogBody(vertx, context.request(), form(asked, found));
        if (asked.readable && !asked.follow) {
            return LargeBodies.OF_PROCESS.sendJson(vertx, context.request(), body::piece);
        }
        if (!asked.readable) {
            context.response().putHeader(OUTPUT, found.state.output().wire());
        }
        String type = asked.readable ? "application/x-ndjson" : "text/plain; charset=utf-8";
        return asked.follow && found.open ? body.follow(type, found.asking, events, asked.runId) : body.send(type);
    }

    /** Opens the log in the form that the client requests. */
    private static Callable<LogForm> form(Asked asked, Found found) {
        return () -> asked.readable ? lines(asked, found) : raw(asked, found);
    }

    private static LogForm raw(Asked asked, Found found) throws IOException {
        long begin = asked.tail.isPresent() ? found.log.tail(asked.tail.getAsLong()) : asked.offset;
        long size =
                asked.follow && found.open ? Long.MAX_VALUE : found.log.state().size();
        return new LogForm.Raw(found.log, begin, Math.min(asked.limit, Math.max(0, size - begin)));
    }

    private static LogForm lines(Asked asked, Found found) throws IOException {
        long size = found.log.state().size();
        LongFunction<SaidLines> readers = asked.stream.equals("stdout")
                ? from -> SaidLines.ofOutput(found.state.output(), from)
                : SaidLines::ofErrors;
        boolean ended = !asked.follow && !found.open;
        LogLines lines = asked.tail.isPresent()
                ? LogLines.tail(found.log, readers, asked.tail.getAsLong(), size, ended)
                : new LogLines(found.log, readers, asked.offset);
        long end = asked.tail.isPresent() ? size : asked.offset + Math.min(asked.limit, LogLines.MOST_BYTES);
        return asked.follow ? new LogForm.Objects(lines) : new LogForm.Page(lines, Math.min(size, end), size, ended);
    }

    /**
     * A log that was found.
     *
     * @param state of the log when it was found
     * @param open whether the log may grow
     * @param asking asks this again
     */
    private record Found(StepLog log, LogPart state, boolean open, Supplier<Future<Boolean>> asking) {}

    private Future<Found> find(Asked asked) {
        StepLog log = StepLog.of(dataFolder, asked.runId, asked.stepId, asked.stream);
        return found(log, asked, steps -> scheduler.request(SchedulerChannels.OPEN_STEPS, steps))
                .compose(here -> here.state.launched() ? Future.succeededFuture(here) : unknownHere(here, asked));
    }

    private Future<Found> found(StepLog log, Asked asked, Function<ListOpenSteps, Future<OpenSteps>> owner) {
        ListOpenSteps steps = new ListOpenSteps(Optional.of(asked.runId));
        Supplier<Future<Boolean>> asking =
                () -> owner.apply(steps).map(open -> open.mayHold(asked.runId, asked.stepId));
        return asking.get()
                .compose(open ->
                        vertx.executeBlocking(log::state, false).map(state -> new Found(log, state, open, asking)));
    }

    /** Reads the run's record only if the disk does not know the step: a run that cannot be read may have any step. */
    private Future<Found> unknownHere(Found here, Asked asked) {
        return scheduler.step(asked.runId, asked.stepId).compose(step -> {
            if (here.open) {
                return Future.succeededFuture(here);
            }
            Found recorded = new Found(here.log, here.state, step.endedAt().isEmpty(), here.asking);
            return cluster.elsewhere(asked.runId, asked.stepId)
                    .compose(node -> node.isEmpty() ? Future.succeededFuture(recorded) : foundAt(node.get(), asked));
        });
    }

    private Future<Found> foundAt(Node node, Asked asked) {
        return found(
                (offset, length) -> part(node, asked, offset, length),
                asked,
                steps -> cluster.at(node, SchedulerChannels.OPEN_STEPS, steps));
    }

    /** Reads a part on the disk of another node. Fails with {@code node-unreachable} if the node does not answer. */
    private LogPart part(Node node, Asked asked, long offset, int length) {
        ReadLog question = new ReadLog(asked.runId, asked.stepId, asked.stream, offset, length);
        return Blocking.answer(cluster.at(node, NodeChannels.READ_LOG, question), PATIENCE);
    }
}
