package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.postgres.CommandInbox;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands to the owners of runs through the database, and executes commands to this node's runs. A command that
 * the owner does not take in time is withdrawn, so that it cannot take effect later.
 */
public final class RunRouter implements RunRouting {
    private static final Logger LOG = LoggerFactory.getLogger(RunRouter.class);
    /** Time limit for an owner to take a command; shorter than the caller's time limit. */
    static final Duration PATIENCE = Duration.ofSeconds(12);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final Duration OWNER_CHECK_INTERVAL = Duration.ofSeconds(2);
    /** Shorter than the caller's time limit for the longest grace. */
    private static final Duration LONGEST_KILL = Duration.ofMinutes(5);

    private static final String NOTHING_DONE = "does not answer; nothing was done. Check it in GET /nodes, and retry"
            + " when it is back or another node has taken over the run";
    private static final String UNKNOWN =
            "has not answered yet, so the command may still take effect; check the run before you retry";

    /** This node's view of its lease and its runs. Any thread. */
    public interface LocalNode {
        /** Returns the node's name. */
        String node();

        /** Returns whether the node has a lease. */
        boolean isLive();

        /** Returns whether the node owns this run, as far as it knows. */
        boolean isOwn(String runId);

        /** Claims a run without a live owner if this node can execute it. Returns whether the node owns the run. */
        Future<Boolean> takeNow(String runId);

        /** Returns whether a node owns the run; that node may be silent for less than its lease. */
        Future<Boolean> hasOwner(String runId);
    }

    private final Vertx vertx;
    private final HomeContext home;
    private final LocalNode localNode;
    private final CommandInbox inbox;
    private final Supplier<? extends EventStore> store;
    private final Duration patience;
    private final CommandExecutor executor;
    /** Commands that wait for the answer of another node, by number. Used on the context. */
    private final Map<Long, Promise<String>> waiting = new HashMap<>();

    private boolean begun;
    private boolean polling;
    private long timer;

    /**
     * Commands to other nodes get no answer before {@link #begin}.
     *
     * @param patience time limit for an owner to take a command
     */
    RunRouter(
            Vertx vertx,
            LocalNode localNode,
            CommandInbox inbox,
            Supplier<? extends EventStore> store,
            Duration patience) {
        this.vertx = vertx;
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.localNode = localNode;
        this.inbox = inbox;
        this.store = store;
        this.patience = patience;
        this.executor = new CommandExecutor(vertx, localNode, inbox, store);
    }

    /** Executes commands to this node's runs from now on. Call once the engine serves. */
    public Future<Void> begin() {
        return home.call(() -> {
            begun = true;
            inbox.watch(() -> home.run(this::poll));
            timer = vertx.setPeriodic(POLL_INTERVAL.toMillis(), due -> poll());
            return Future.succeededFuture();
        });
    }

    /** Takes no more commands and completes when none is in execution. The inbox stays open. */
    public Future<Void> end() {
        return home.call(() -> {
            if (begun) {
                boolean unused = vertx.cancelTimer(timer);
                begun = false;
            }
            return executor.close();
        });
    }

    private void poll() {
        if (!begun) {
            return;
        }
        if (localNode.isLive()) {
            executor.poll();
        }
        if (!waiting.isEmpty() && !polling) {
            polling = true;
            inbox.answers(Set.copyOf(waiting.keySet()))
                    .onComplete(found -> home.run(() -> {
                        polling = false;
                        if (found.succeeded()) {
                            found.result().forEach(this::answered);
                        }
                    }));
        }
    }

    private void answered(long id, String answer) {
        Promise<String> asked = waiting.remove(id);
        if (asked != null) {
            asked.tryComplete(answer);
        }
    }

    @Override
    public Future<RunAnswer> route(String action, String runId, Record command, Supplier<Future<RunAnswer>> here) {
        if (localNode.isOwn(runId) || executor.isExecuting(runId)) {
            return here.get();
        }
        HomeContext caller = new HomeContext(vertx.getOrCreateContext());
        return caller.bring(localNode
                .takeNow(runId)
                .compose(ours -> ours ? Future.succeededFuture(true) : isUnknown(runId))
                // An unknown run has no owner; this node refuses the command.
                .compose(answered -> answered ? caller.call(here) : ask(action, runId, command)));
    }

    private Future<Boolean> isUnknown(String runId) {
        return store.get().find(runId).map(Optional::isEmpty);
    }

    private Future<RunAnswer> ask(String action, String runId, Record command) {
        return inbox.ask(runId, action, Json.MAPPER.valueToTree(command).toString(), localNode.node())
                .compose(id -> home.call(() -> await(id, action, runId)));
    }

    private Future<RunAnswer> await(long id, String action, String runId) {
        Promise<String> answer = Promise.promise();
        waiting.put(id, answer);
        poll();
        long late = vertx.setTimer(patience.toMillis(), due -> giveUp(id, action, runId, answer));
        return answer.future().onComplete(replied -> vertx.cancelTimer(late)).map(RunRouter::read);
    }

    private void giveUp(long id, String action, String runId, Promise<String> answer) {
        inbox.withdraw(id)
                .onComplete(done -> home.run(() -> {
                    if (done.failed()) {
                        complete(id, Future.failedFuture(done.cause()), answer);
                    } else if (done.result()) {
                        complete(id, refused(runId, NOTHING_DONE), answer);
                    } else {
                        awaitExecution(
                                id, runId, action.equals(CommandExecutor.KILL) ? LONGEST_KILL : Duration.ZERO, answer);
                    }
                }));
    }

    /** The owner has taken the command: waits for a kill while the run has an owner. */
    private void awaitExecution(long id, String runId, Duration more, Promise<String> answer) {
        if (answer.future().isComplete()) {
            return;
        }
        if (more.isZero() || more.isNegative()) {
            complete(id, last(id, runId), answer);
            return;
        }
        vertx.setTimer(
                OWNER_CHECK_INTERVAL.toMillis(),
                due -> localNode
                        .hasOwner(runId)
                        // An unavailable database says nothing about the owner.
                        .otherwise(true)
                        .onComplete(owned -> home.run(() -> awaitExecution(
                                id,
                                runId,
                                owned.result() ? more.minus(OWNER_CHECK_INTERVAL) : Duration.ZERO,
                                answer))));
    }

    private void complete(long id, Future<String> last, Promise<String> answer) {
        waiting.remove(id);
        last.onComplete(result -> {
            if (result.succeeded()) {
                answer.tryComplete(result.result());
            } else {
                answer.tryFail(result.cause());
            }
        });
    }

    private Future<String> last(long id, String runId) {
        return inbox.answers(Set.of(id))
                .compose(found ->
                        found.containsKey(id) ? Future.succeededFuture(found.get(id)) : refused(runId, UNKNOWN));
    }

    private Future<String> refused(String runId, String why) {
        return store.get()
                .find(runId)
                .map(row -> awaited(runId, row.map(RunRow::view).orElse(MissingNode.getInstance())))
                .otherwise(unread -> ownerOf("", runId))
                .map(node -> write(RunAnswer.refused(new Refusal("node-unreachable", node + " " + why))));
    }

    /** Returns e.g. {@code the node that run demo-1 waits for (n1, silent 3 m)}. */
    private static String awaited(String runId, JsonNode run) {
        return run.has("waitsFor")
                ? "the node that run " + runId + " waits for ("
                        + run.path("waitsFor").asText() + ")"
                : ownerOf(run.path("owner").path("node").asText(), runId);
    }

    /** Returns e.g. {@code node n1, which executes run demo-1,}; without a name if the node is empty. */
    static String ownerOf(String node, String runId) {
        return node.isEmpty()
                ? "the node that executes run " + runId
                : "node " + node + ", which executes run " + runId + ",";
    }

    static String write(RunAnswer answer) {
        return Json.MAPPER.valueToTree(answer).toString();
    }

    static RunAnswer read(String answer) {
        try {
            return Json.MAPPER.readValue(answer, RunAnswer.class);
        } catch (JsonProcessingException unreadable) {
            LOG.warn("an answer to a command cannot be read: {}", unreadable.getMessage());
            return RunAnswer.refused(new Refusal(
                    "node-unreachable",
                    "the answer of the node that executes the run cannot be read; it may have another version"));
        }
    }
}
