package dev.loopkeeper.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.run.AskNode;
import dev.loopkeeper.contract.run.Doing;
import dev.loopkeeper.contract.run.GetNode;
import dev.loopkeeper.contract.run.GetNodeFigures;
import dev.loopkeeper.contract.run.GetRun;
import dev.loopkeeper.contract.run.GetRunPlaces;
import dev.loopkeeper.contract.run.GetStep;
import dev.loopkeeper.contract.run.ListNodes;
import dev.loopkeeper.contract.run.NodeChannels;
import dev.loopkeeper.contract.run.NodeFigures;
import dev.loopkeeper.contract.run.NodeList;
import dev.loopkeeper.contract.run.NodeReply;
import dev.loopkeeper.contract.run.NodeSelf;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.RunPlaces;
import dev.loopkeeper.contract.run.StepPlace;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Asks the node of a cluster that this server is, if it is one. */
final class ClusterClient {
    /** Beyond what the node is given, for the way there. */
    private static final Duration BUS = Duration.ofSeconds(5);

    /** For what whoever asks for a run can do without. */
    private static final Duration GLANCE = Duration.ofSeconds(1);

    /** How long a node is done without that did not say what it does. */
    private static final Duration UNASKED = Duration.ofSeconds(3);

    private static final Node ONLY = new Node(
            Node.LOCAL,
            Node.State.LIVE,
            true,
            OptionalLong.empty(),
            Optional.empty(),
            "",
            OptionalInt.empty(),
            OptionalInt.empty());

    private final EventBus bus;
    private final Duration patience;
    /** Until when those are not asked what they do that did not say it, by {@link System#nanoTime}. */
    private final Map<String, Long> unasked = new ConcurrentHashMap<>();

    ClusterClient(EventBus bus, Duration patience) {
        this.bus = bus;
        this.patience = patience;
    }

    /** All nodes; empty without a cluster. */
    Future<Optional<List<Node>>> nodes() {
        return ask(NodeChannels.LIST, new ListNodes()).map(found -> found.map(NodeList::nodes));
    }

    /** Whether this server may carry out runs: always without a cluster. */
    Future<Boolean> isLive() {
        return ask(NodeChannels.SELF, new GetNode())
                .map(self -> self.map(NodeSelf::live).orElse(true));
    }

    /** How this node's leases went, and what waits for a node; empty without a cluster. */
    Future<Optional<NodeFigures>> figures() {
        return ask(NodeChannels.FIGURES, new GetNodeFigures());
    }

    /** Whose disk has the step's files, if another node's. */
    Future<Optional<Node>> elsewhere(String runId, String stepId) {
        return ask(NodeChannels.STEP, new GetStep(runId, stepId))
                .map(found -> found.flatMap(StepPlace::node).filter(node -> !node.self()));
    }

    /** Whose disks have files of the run, the last one last; empty without a cluster. */
    Future<Optional<List<Node>>> places(String runId) {
        return ask(NodeChannels.PLACES, new GetRunPlaces(runId)).map(found -> found.map(RunPlaces::nodes));
    }

    /**
     * What a run does that another node carries out; never fails, nothing where that node does not tell it at once. Not
     * every request waits for a node that stands still.
     */
    Future<Doing> doing(String node, String runId) {
        Long until = unasked.get(node);
        if (until != null && System.nanoTime() - until < 0) {
            return Future.succeededFuture(Doing.NOTHING);
        }
        String question = Json.MAPPER.valueToTree(new GetRun(runId)).toString();
        AskNode asked = new AskNode(node, RunChannels.DOING.address(), question, GLANCE.toMillis());
        return NodeChannels.ASK
                .ask(bus, asked, GLANCE.plus(GLANCE))
                .map(reply -> doing(node, reply))
                .otherwise(Doing.NOTHING);
    }

    private Doing doing(String node, NodeReply reply) {
        if (reply.outcome() == NodeReply.Outcome.SILENT) {
            unasked.put(node, System.nanoTime() + UNASKED.toNanos());
        }
        return reply.outcome() == NodeReply.Outcome.ANSWERED ? doing(reply.body()) : Doing.NOTHING;
    }

    private static Doing doing(String body) {
        try {
            return Json.MAPPER.readValue(body, Doing.class);
        } catch (JsonProcessingException unreadable) {
            return Doing.NOTHING;
        }
    }

    /** The node of this name, if it is another one. */
    Future<Optional<Node>> other(String name) {
        return nodes().map(all -> all.stream()
                .flatMap(List::stream)
                .filter(node -> node.node().equals(name) && !node.self())
                .findFirst());
    }

    /** What a node answers; fails with {@code node-unreachable} where it is silent, else as the one asked there did. */
    <Q, A> Future<A> at(Node node, RequestChannel<Q, A> channel, Q question) {
        return at(node, channel, question, patience);
    }

    /** The same, for what takes longer. */
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
                    503,
                    "node-unreachable",
                    "node " + node.node() + " answers in a way that this one does not know; it is of version "
                            + node.version()));
        }
    }

    /**
     * What came of a question to all nodes.
     *
     * @param node absent without a cluster
     */
    record Heard<A>(Optional<String> node, A answer) {}

    /**
     * Of all that could be asked.
     *
     * @param unanswered names of nodes of which nobody knows; absent without a cluster
     */
    record Everywhere<A>(List<Heard<A>> answers, Optional<List<String>> unanswered) {}

    /** Asks all nodes that may have something; what does not come within {@code limit} is named. */
    <A> Future<Everywhere<A>> everywhere(Duration limit, BiFunction<Node, Duration, Future<A>> question) {
        return nodes().transform(found -> {
            if (found.failed()) {
                // The database is away: what this node has is told all the same.
                return question.apply(ONLY, patience)
                        .map(own -> new Everywhere<>(
                                List.of(new Heard<>(Optional.empty(), own)), Optional.of(List.of("the other nodes"))));
            }
            if (found.result().isEmpty()) {
                return question.apply(ONLY, patience)
                        .map(own -> new Everywhere<>(List.of(new Heard<>(Optional.empty(), own)), Optional.empty()));
            }
            return all(found.result().get(), limit, question);
        });
    }

    private <A> Future<Everywhere<A>> all(
            List<Node> nodes, Duration limit, BiFunction<Node, Duration, Future<A>> question) {
        List<Node> asked = nodes.stream()
                .filter(node -> node.self() || node.state() == Node.State.LIVE || node.state() == Node.State.SILENT)
                .toList();
        List<Future<A>> answers = asked.stream()
                .map(node -> question.apply(node, node.self() ? patience : limit))
                .toList();
        return Future.join(answers).transform(over -> {
            List<Heard<A>> heard = new ArrayList<>();
            List<String> unanswered = new ArrayList<>();
            for (int index = 0; index < asked.size(); index++) {
                Node node = asked.get(index);
                Future<A> answer = answers.get(index);
                if (answer.succeeded()) {
                    heard.add(new Heard<>(Optional.of(node.node()), answer.result()));
                } else if (node.self()) {
                    return Future.failedFuture(answer.cause());
                } else {
                    unanswered.add(node.node());
                }
            }
            return Future.succeededFuture(new Everywhere<>(heard, Optional.of(unanswered)));
        });
    }

    /** Nobody knows what is on this node. */
    static Problem silent(Node node) {
        boolean gone = node.state() == Node.State.FENCED || node.state() == Node.State.LEFT;
        return new Problem(
                503,
                "node-unreachable",
                "node " + node.node() + ", on whose disk that lies, "
                        + (node.state() == Node.State.LIVE
                                ? "does not answer"
                                : "is " + node.state().wire())
                        + "; ask again when it is back"
                        + node.url().map(url -> ", or ask it itself: " + url).orElse("")
                        + (gone
                                ? ". Where its data folder is lost for good, start a node of this name with a new one:"
                                        + " what lay there is done without from then on"
                                : ""));
    }

    private <Q, A> Future<Optional<A>> ask(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(bus, question, patience).map(Optional::of).recover(cause -> {
            boolean alone = RequestChannel.isNobodyThere(cause);
            return alone ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(cause);
        });
    }
}
