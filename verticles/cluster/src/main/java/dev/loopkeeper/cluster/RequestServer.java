package dev.loopkeeper.cluster;

import dev.loopkeeper.store.postgres.NodeRequests;
import dev.loopkeeper.store.postgres.NodeRequests.Request;
import dev.loopkeeper.store.postgres.NodeRequests.Taken;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.Retries;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests to this node and commands to its runs, and answers them. Executes one command at a time for each run,
 * in order, except kills, which neither wait for other commands nor block them.
 */
final class RequestServer {
    private static final Logger LOG = LoggerFactory.getLogger(RequestServer.class);
    private static final int BATCH = 100;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final Duration RETRY_AFTER = Duration.ofMillis(500);

    private final Vertx vertx;
    private final HomeContext home;
    private final RunRouter.LocalNode localNode;
    private final NodeRequests requests;
    private final NodeQueries queries;
    private final RunCommands commands;
    private final SingleFlight<Void> polls = new SingleFlight<>(this::poll);
    /** Runs with a command in execution that others wait for. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    /** Other requests in execution, by number, with the run of a kill. */
    private final Map<Long, Optional<String>> unordered = new ConcurrentHashMap<>();

    private boolean servesRuns;
    private Promise<Void> idle = Promise.promise();
    private long timer;

    RequestServer(
            Vertx vertx,
            RunRouter.LocalNode localNode,
            NodeRequests requests,
            NodeQueries queries,
            RunCommands commands) {
        this.vertx = vertx;
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.localNode = localNode;
        this.requests = requests;
        this.queries = queries;
        this.commands = commands;
    }

    /** Serves requests to this node. */
    void begin() {
        requests.watch(() -> home.run(polls::run));
        home.run(() -> timer = vertx.setPeriodic(POLL_INTERVAL.toMillis(), due -> polls.run()));
    }

    /** Also serves commands to this node's runs. Call once the engine serves. */
    Future<Void> beginRuns() {
        return home.call(() -> {
            servesRuns = true;
            polls.run();
            return Future.succeededFuture();
        });
    }

    /** Takes no more commands; completes when none is in execution. */
    Future<Void> endRuns() {
        return home.call(() -> {
            servesRuns = false;
            completeIfIdle();
            return idle.future();
        });
    }

    /** Takes no more requests. */
    Future<Void> close() {
        return home.call(() -> {
            boolean unused = vertx.cancelTimer(timer);
            return polls.close();
        });
    }

    /** Returns whether a command about this run comes from this server, and so must not be sent to another node. */
    boolean isExecuting(String runId) {
        return busy.contains(runId) || unordered.containsValue(Optional.of(runId));
    }

    private void completeIfIdle() {
        if (!servesRuns && busy.isEmpty() && unordered.values().stream().noneMatch(Optional::isPresent)) {
            idle.tryComplete();
        }
    }

    private Future<Void> poll() {
        boolean ofRuns = servesRuns && localNode.isLive();
        return home.bring(requests.open(localNode.node(), ofRuns, unordered.keySet(), busy, RunCommands.KILL, BATCH))
                .<Void>map(open -> {
                    open.forEach(this::begin);
                    return null;
                })
                // The next poll tries again.
                .otherwiseEmpty();
    }

    private void begin(Request request) {
        if ((request.runId().isPresent() && !servesRuns) || !enter(request)) {
            return;
        }
        home.bring(Future.succeededFuture().compose(begun -> execute(request)))
                .onFailure(cause -> LOG.warn(
                        "{}: the request {} from another node is not answered yet: {}",
                        request.runId().map(runId -> "run " + runId).orElse(localNode.node()),
                        request.action(),
                        cause.getMessage()))
                .onComplete(executed -> {
                    leave(request);
                    completeIfIdle();
                    // Another command to the run may wait. A request that was not taken waits for the next poll.
                    if (executed.succeeded() && executed.result()) {
                        polls.run();
                    }
                });
    }

    private boolean enter(Request request) {
        return isOrdered(request)
                ? busy.add(request.runId().orElseThrow())
                : unordered.putIfAbsent(request.id(), request.runId()) == null;
    }

    private void leave(Request request) {
        if (isOrdered(request)) {
            busy.remove(request.runId().orElseThrow());
        } else {
            unordered.remove(request.id());
        }
    }

    private static boolean isOrdered(Request request) {
        return request.runId().isPresent() && !request.action().equals(RunCommands.KILL);
    }

    /** Returns whether the request is answered. */
    private Future<Boolean> execute(Request request) {
        return request.runId()
                .map(this::isOurs)
                .orElseGet(() -> Future.succeededFuture(true))
                .compose(ours -> ours
                        ? requests.take(request.id(), localNode.node())
                        : Future.succeededFuture(Optional.<Taken>empty()))
                .compose(taken -> taken.map(mine -> outcome(request, mine)
                                .compose(answer -> answer(request.id(), mine.epoch(), answer))
                                .map(true))
                        .orElseGet(() -> Future.succeededFuture(false)));
    }

    private Future<Boolean> isOurs(String runId) {
        return localNode.isOwn(runId) ? Future.succeededFuture(true) : localNode.takeNow(runId);
    }

    private Future<String> outcome(Request request, Taken taken) {
        return request.runId()
                .map(runId -> commands.execute(request, runId, taken))
                .orElseGet(() -> queries.answer(request));
    }

    /** Retries until the answer is stored, since the request is executed; gives up when the node has no lease. */
    private Future<Void> answer(long id, long epoch, String answer) {
        return Retries.every(vertx, RETRY_AFTER, cause -> localNode.isLive(), () -> requests.answer(id, epoch, answer));
    }
}
