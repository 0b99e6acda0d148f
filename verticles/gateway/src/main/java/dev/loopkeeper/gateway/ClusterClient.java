package dev.loopkeeper.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.GetNode;
import dev.loopkeeper.contract.NodeChannels.GetNodeFigures;
import dev.loopkeeper.contract.NodeChannels.GetRunNodes;
import dev.loopkeeper.contract.NodeChannels.ListNodes;
import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import dev.loopkeeper.contract.NodeChannels.NodeList;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.NodeChannels.NodeSelf;
import dev.loopkeeper.contract.NodeChannels.RunNodes;
import dev.loopkeeper.contract.NodeChannels.StepNode;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.RunActivity;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Sends requests to the cluster's nodes, or to this process if it is not a node. */
final class ClusterClient {
    /** Added to a node's own time limit for the way there and back. */
    private static final Duration BUS = Duration.ofSeconds(5);

    /** For optional information about a run. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Optional requests skip a node for this long after it did not answer. */
    private static final Duration SKIP_TIME = Duration.ofSeconds(3);

    private static final Node ONLY =
            new Node(Node.LOCAL, Node.State.LIVE, true, OptionalLong.empty(), Optional.empty(), "", Node.Load.NONE);

    private final EventBus bus;
    private final Duration patience;
    /** By node, in {@link System#nanoTime}. */
    private final Map<String, Long> skippedUntil = new ConcurrentHashMap<>();

    ClusterClient(EventBus bus, Duration patience) {
        this.bus = bus;
        this.patience = patience;
    }

    /** Returns all nodes; empty without a cluster. */
    Future<Optional<List<Node>>> nodes() {
        return ask(NodeChannels.LIST, new ListNodes()).map(found -> found.map(NodeList::nodes));
    }

    /** Returns whether this server may execute runs; always true without a cluster. */
    Future<Boolean> isLive() {
        return ask(NodeChannels.SELF, new GetNode())
                .map(self -> self.map(NodeSelf::live).orElse(true));
    }

    /** Returns figures of this node's leases and of waiting work; empty without a cluster. */
    Future<Optional<NodeFigures>> figures() {
        return ask(NodeChannels.FIGURES, new GetNodeFigures());
    }

    /** Returns the other node whose disk has the step's files; empty if this one has them. */
    Future<Optional<Node>> elsewhere(String runId, String stepId) {
        return ask(NodeChannels.STEP, new GetStep(runId, stepId))
                .map(found -> found.flatMap(StepNode::node).filter(node -> !node.self()));
    }

    /** Returns the nodes whose disks have files of the run, the latest last; empty without a cluster. */
    Future<Optional<List<Node>>> places(String runId) {
        return ask(NodeChannels.RUN_NODES, new GetRunNodes(runId)).map(found -> found.map(RunNodes::nodes));
    }

    /**
     * Returns the activity of a run on another node. Never fails; empty if the node does not answer soon, and it is
     * then skipped for a while.
     */
    Future<RunActivity> activity(String node, String runId) {
        Long until = skippedUntil.get(node);
        if (until != null && System.nanoTime() - until < 0) {
            return Future.succeededFuture(RunActivity.NOTHING);
        }
        String question = Json.MAPPER.valueToTree(new GetRun(runId)).toString();
        AskNode asked = new AskNode(node, SchedulerChannels.ACTIVITY.address(), question, SHORT.toMillis());
        return NodeChannels.ASK
                .ask(bus, asked, SHORT.plus(SHORT))
                .map(reply -> activity(node, reply))
                .otherwise(RunActivity.NOTHING);
    }

    private RunActivity activity(String node, NodeReply reply) {
        if (reply.outcome() == NodeReply.Outcome.SILENT) {
            skippedUntil.put(node, System.nanoTime() + SKIP_TIME.toNanos());
        }
        return reply.outcome() == NodeReply.Outcome.ANSWERED ? activity(reply.body()) : RunActivity.NOTHING;
    }

    private static RunActivity activity(String body) {
        try {
            return Json.MAPPER.readValue(body, RunActivity.class);
        } catch (JsonProcessingException unreadable) {
            return RunActivity.NOTHING;
        }
    }

    /** Returns the node of this name unless it is this one. */
    Future<Optional<Node>> other(String name) {
        return nodes().map(all -> all.stream()
                .flatMap(List::stream)
                .filter(node -> node.node().equals(name) && !node.self())
                .findFirst());
    }

    /**
     * Sends a request to a node. Fails with {@code node-unreachable} if it does not answer, else as its channel did.
     */
    <Q, A> Future<A> at(Node node, RequestChannel<Q, A> channel, Q question) {
        return at(node, channel, question, patience);
    }

    /** Does the same with a longer time limit. */
    <Q, A> Future<A> at(Node node, RequestChannel<Q, A> channel, Q question, Duration patience) {
        if (node.self()) {
            return channel.ask(bus, question, patience);
        }
        if (node.state() == Node.State.FENCED || node.state() == Node.State.LEFT) {
            return Future.failedFuture(silent(node));
        }
        String body = Json.MAPPER.valueToTree(question).toString();
        return NodeChannels.ASK
                .ask(bus, new AskNode(node.node(), channel.address(), body, patience.toMillis()), patience.plus(BUS))
                .compose(reply -> switch (reply.outcome()) {
                    case ANSWERED -> read(node, channel, reply.body());
                    case REFUSED -> Future.failedFuture(new NodeRefusal(reply.code(), reply.body()));
                    case SILENT -> Future.failedFuture(silent(node));
                });
    }

    private static <Q, A> Future<A> read(Node node, RequestChannel<Q, A> channel, String body) {
        try {
            return Future.succeededFuture(Json.MAPPER.readValue(body, channel.answer()));
        } catch (JsonProcessingException unreadable) {
            return Future.failedFuture(new Problem(
                    RefusalCode.NODE_UNREACHABLE,
                    "node " + node.node() + " sent an answer that this node cannot read; its version is "
                            + node.version()));
        }
    }

    /**
     * The answer of one node.
     *
     * @param node absent without a cluster
     */
    record NodeAnswer<A>(Optional<String> node, A answer) {}

    /**
     * The answers of all nodes that could be asked.
     *
     * @param unanswered names of nodes that did not answer, also of fenced ones, which are not asked; absent without a cluster
     */
    record ClusterAnswers<A>(List<NodeAnswer<A>> answers, Optional<List<String>> unanswered) {}

    /** Sends a request to all nodes. Names those that do not answer within {@code limit}. */
    <A> Future<ClusterAnswers<A>> askAll(Duration limit, BiFunction<Node, Duration, Future<A>> question) {
        return nodes().transform(found -> {
            if (found.failed()) {
                // The database is unavailable: answers with this node's data only.
                return own(question, Optional.of(List.of("the other nodes")));
            }
            if (found.result().isEmpty()) {
                return own(question, Optional.empty());
            }
            return all(found.result().get(), limit, question);
        });
    }

    private <A> Future<ClusterAnswers<A>> own(
            BiFunction<Node, Duration, Future<A>> question, Optional<List<String>> unanswered) {
        return question.apply(ONLY, patience)
                .map(own -> new ClusterAnswers<>(List.of(new NodeAnswer<>(Optional.empty(), own)), unanswered));
    }

    private <A> Future<ClusterAnswers<A>> all(
            List<Node> nodes, Duration limit, BiFunction<Node, Duration, Future<A>> question) {
        List<Node> asked = nodes.stream()
                .filter(node -> node.self() || node.state() != Node.State.LEFT)
                .toList();
        List<Future<A>> answers = asked.stream()
                .map(node -> question.apply(node, node.self() ? patience : limit))
                .toList();
        return Future.join(answers).transform(done -> {
            List<NodeAnswer<A>> received = new ArrayList<>();
            List<String> unanswered = new ArrayList<>();
            for (int index = 0; index < asked.size(); index++) {
                Node node = asked.get(index);
                Future<A> answer = answers.get(index);
                if (answer.succeeded()) {
                    received.add(new NodeAnswer<>(Optional.of(node.node()), answer.result()));
                } else if (node.self()) {
                    return Future.failedFuture(answer.cause());
                } else {
                    unanswered.add(node.node());
                }
            }
            return Future.succeededFuture(new ClusterAnswers<>(received, Optional.of(unanswered)));
        });
    }

    /** The problem of a node whose data is unknown. */
    static Problem silent(Node node) {
        boolean gone = node.state() == Node.State.FENCED || node.state() == Node.State.LEFT;
        return new Problem(
                RefusalCode.NODE_UNREACHABLE,
                "node " + node.node() + ", which has this data on its disk, "
                        + (node.state() == Node.State.LIVE
                                ? "does not answer"
                                : "is " + node.state().wire())
                        + "; retry when that node is back"
                        + node.url()
                                .map(url -> ", or send the request to that node directly: " + url)
                                .orElse("")
                        + (gone
                                ? ". If its data folder is lost, start a node of this name with a new one;"
                                        + " the lost data is then no longer required"
                                : ""));
    }

    private <Q, A> Future<Optional<A>> ask(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(bus, question, patience).map(Optional::of).recover(cause -> {
            boolean alone = RequestChannel.hasNoHandler(cause);
            return alone ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(cause);
        });
    }
}
