package dev.loopkeeper.cluster;

import dev.loopkeeper.store.postgres.NodeRequests;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends requests to other nodes through the database and waits for their answers. A request that no node takes in time
 * is withdrawn, so that it cannot take effect later. Any thread.
 */
final class RequestSender {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final Duration OWNER_CHECK_INTERVAL = Duration.ofSeconds(2);
    private static final long LOSS_CHECK_MILLIS = 1000;

    private final Vertx vertx;
    private final HomeContext home;
    private final String node;
    private final NodeRequests requests;
    /** Requests that wait for an answer, by number. Used on the context. */
    private final Map<Long, Promise<Reply>> waiting = new HashMap<>();

    private final SingleFlight<Void> polls = new SingleFlight<>(this::poll);

    private boolean closed;
    private long timer;

    /** The answer of another node, or the lack of one. */
    sealed interface Reply {
        record Answered(String answer) implements Reply {}

        /** No node took the request, and none will. */
        record Withdrawn() implements Reply {}

        /** A node took the request and did not answer: it may still take effect. */
        record Unknown() implements Reply {}
    }

    RequestSender(Vertx vertx, String node, NodeRequests requests) {
        this.vertx = vertx;
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.node = node;
        this.requests = requests;
    }

    void begin() {
        requests.watch(() -> home.run(polls::run));
        home.run(() -> timer = vertx.setPeriodic(POLL_INTERVAL.toMillis(), due -> polls.run()));
    }

    /**
     * Sends a request to a node.
     *
     * @param isLost asked each second whether to wait no longer
     */
    Future<Reply> toNode(
            String receiver, String channel, String body, Duration patience, Supplier<Future<Boolean>> isLost) {
        return requests.askNode(receiver, channel, body, node)
                .compose(id -> await(id, patience, isLost, () -> Future.succeededFuture(false)));
    }

    /**
     * Sends a command to the owner of a run.
     *
     * @param patience time limit for an owner to take the command
     * @param isLost asked each second until then whether to wait no longer
     * @param mayContinue asked every two seconds after that whether to wait for an owner that has taken the command
     */
    Future<Reply> toOwner(
            String runId,
            String action,
            String body,
            Duration patience,
            Supplier<Future<Boolean>> isLost,
            Supplier<Future<Boolean>> mayContinue) {
        return requests.askOwner(runId, action, body, node).compose(id -> await(id, patience, isLost, mayContinue));
    }

    private Future<Reply> await(
            long id, Duration patience, Supplier<Future<Boolean>> isLost, Supplier<Future<Boolean>> mayContinue) {
        return home.ask(() -> {
            Promise<Reply> reply = Promise.promise();
            if (closed) {
                return Future.succeededFuture(new Reply.Unknown());
            }
            waiting.put(id, reply);
            polls.run();
            long late = vertx.setTimer(Math.max(1, patience.toMillis()), due -> withdraw(id, mayContinue));
            long losses = vertx.setPeriodic(LOSS_CHECK_MILLIS, due -> withdrawIf(isLost, id, mayContinue));
            return reply.future().onComplete(replied -> {
                vertx.cancelTimer(late);
                vertx.cancelTimer(losses);
            });
        });
    }

    /** An unavailable database says nothing about other nodes. */
    private void withdrawIf(Supplier<Future<Boolean>> isLost, long id, Supplier<Future<Boolean>> mayContinue) {
        isLost.get()
                .otherwise(false)
                .onSuccess(lost -> home.run(() -> {
                    if (lost && waiting.containsKey(id)) {
                        withdraw(id, mayContinue);
                    }
                }));
    }

    private Future<Void> poll() {
        if (waiting.isEmpty()) {
            return Future.succeededFuture();
        }
        return home.bring(requests.answers(Set.copyOf(waiting.keySet())))
                .<Void>map(found -> {
                    found.forEach((id, answer) -> complete(id, new Reply.Answered(answer)));
                    return null;
                })
                // The next poll tries again.
                .otherwiseEmpty();
    }

    private void complete(long id, Reply reply) {
        Optional.ofNullable(waiting.remove(id)).ifPresent(asked -> asked.complete(reply));
    }

    private void withdraw(long id, Supplier<Future<Boolean>> mayContinue) {
        requests.withdraw(id)
                .onComplete(done -> home.run(() -> {
                    if (done.failed()) {
                        Optional.ofNullable(waiting.remove(id)).ifPresent(asked -> asked.fail(done.cause()));
                    } else if (done.result()) {
                        complete(id, new Reply.Withdrawn());
                    } else {
                        awaitExecution(id, mayContinue);
                    }
                }));
    }

    private void awaitExecution(long id, Supplier<Future<Boolean>> mayContinue) {
        if (!waiting.containsKey(id)) {
            return;
        }
        mayContinue
                .get()
                // An unavailable database says nothing about the owner.
                .otherwise(true)
                .onComplete(more -> home.run(() -> {
                    if (more.result()) {
                        vertx.setTimer(OWNER_CHECK_INTERVAL.toMillis(), due -> awaitExecution(id, mayContinue));
                    } else {
                        completeWithLast(id);
                    }
                }));
    }

    private void completeWithLast(long id) {
        requests.answers(Set.of(id))
                .onComplete(found -> home.run(() -> complete(
                        id,
                        Optional.ofNullable(found.otherwise(Map.of()).result().get(id))
                                .<Reply>map(Reply.Answered::new)
                                .orElseGet(Reply.Unknown::new))));
    }

    /** Completes waiting requests as unknown and closes the connection. */
    Future<Void> close() {
        return home.call(() -> {
            closed = true;
            boolean unused = vertx.cancelTimer(timer);
            List.copyOf(waiting.keySet()).forEach(id -> complete(id, new Reply.Unknown()));
            return requests.close();
        });
    }
}
