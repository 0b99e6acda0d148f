package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.cluster.RequestSender.Reply;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes commands to this node's runs here, and sends others to the owners of the runs. Any thread.
 *
 * @param isExecuting whether a command about this run comes from another node, and so is executed here
 * @param patience time limit for an owner to take a command
 */
record RunRouter(
        Vertx vertx,
        LocalNode localNode,
        RequestSender sender,
        Predicate<String> isExecuting,
        Supplier<? extends EventStore> store,
        Duration patience)
        implements RunRouting {
    private static final Logger LOG = LoggerFactory.getLogger(RunRouter.class);
    /** Time limit for an owner to take a command; shorter than the caller's time limit. */
    static final Duration PATIENCE = Duration.ofSeconds(12);

    /** Shorter than the caller's time limit for the longest grace. */
    private static final Duration LONGEST_KILL = Duration.ofMinutes(5);

    private static final String NOTHING_DONE =
            "does not answer; nothing was done. Check that node in GET /nodes, and retry"
                    + " when the node is back or another node has taken over the run";
    private static final String UNKNOWN =
            "has not answered yet, so the command may still take effect; check the run before you retry";

    /** The lease and the runs of this node, as it knows them. Any thread. */
    interface LocalNode {
        /** Returns the node's name. */
        String node();

        /** Returns whether the node has a lease. */
        boolean isLive();

        /** Returns whether the node owns this run, as far as it knows. */
        boolean isOwn(String runId);

        /** Claims a run without a live owner if this node can execute it. Returns whether the node owns the run. */
        Future<Boolean> takeNow(String runId);

        /** Returns whether the node of this name has sent no heartbeat for so long that it has ended its processes. */
        Future<Boolean> isLost(String node);

        /** Returns whether a node owns the run; that node may be silent for less than its lease. */
        Future<Boolean> hasOwner(String runId);
    }

    @Override
    public Future<RunAnswer> route(String action, String runId, Record command, Supplier<Future<RunAnswer>> here) {
        if (localNode.isOwn(runId) || isExecuting.test(runId)) {
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
        return isStranded(runId)
                .compose(stranded -> stranded ? refused(runId, NOTHING_DONE) : askOwner(action, runId, command));
    }

    /** Whether the only node that can execute the run is lost. */
    private Future<Boolean> isStranded(String runId) {
        return store.get().find(runId).compose(row -> {
            JsonNode view = row.map(RunRow::view).orElse(MissingNode.getInstance());
            String owner = view.path("owner").path("node").asText();
            boolean ended =
                    row.map(RunRow::status).filter(RunStatus.ENDED::contains).isPresent();
            return ended && !owner.isEmpty() ? localNode.isLost(owner) : Future.succeededFuture(view.has("waitsFor"));
        });
    }

    private Future<RunAnswer> askOwner(String action, String runId, Record command) {
        long until = System.nanoTime() + patience.plus(LONGEST_KILL).toNanos();
        return sender.toOwner(
                        runId,
                        action,
                        Json.MAPPER.valueToTree(command).toString(),
                        patience,
                        () -> isStranded(runId),
                        () -> action.equals(RunCommands.KILL) && System.nanoTime() - until < 0
                                ? localNode.hasOwner(runId)
                                : Future.succeededFuture(false))
                .compose(reply -> answer(runId, reply));
    }

    private Future<RunAnswer> answer(String runId, Reply reply) {
        if (reply instanceof Reply.Answered answered) {
            return Future.succeededFuture(read(answered.answer()));
        }
        return refused(runId, reply instanceof Reply.Withdrawn ? NOTHING_DONE : UNKNOWN);
    }

    private Future<RunAnswer> refused(String runId, String why) {
        return store.get()
                .find(runId)
                .map(row -> awaited(runId, row.map(RunRow::view).orElse(MissingNode.getInstance())))
                .otherwise(unread -> ownerOf("", runId))
                .map(node -> RunAnswer.refused(new Refusal(RefusalCode.NODE_UNREACHABLE, node + " " + why)));
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
            return RunAnswer.refused(
                    new Refusal(
                            RefusalCode.NODE_UNREACHABLE,
                            "the answer of the node that executes the run cannot be read; the versions of the nodes may differ"));
        }
    }
}
