package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.run.GetNode;
import dev.loopkeeper.contract.run.GetStep;
import dev.loopkeeper.contract.run.ListNodes;
import dev.loopkeeper.contract.run.NodeChannels;
import dev.loopkeeper.contract.run.NodeList;
import dev.loopkeeper.contract.run.NodeSelf;
import dev.loopkeeper.contract.run.StepPlace;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks the node of a cluster that this server is, if it is one. */
final class ClusterClient {
    private final EventBus bus;
    private final Duration patience;

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

    /** Fails with {@code node-unreachable} where the step's files lie on another node. */
    Future<Void> requireHere(String runId, String stepId) {
        return ask(NodeChannels.STEP, new GetStep(runId, stepId))
                .map(found -> found.flatMap(StepPlace::node).filter(node -> !node.self()))
                .compose(other -> other.isEmpty()
                        ? Future.succeededFuture()
                        : Future.failedFuture(elsewhere(stepId, other.get())));
    }

    private static Problem elsewhere(String stepId, Node node) {
        return new Problem(
                503,
                "node-unreachable",
                "the log of step " + stepId + " lies on node " + node.node() + ", which is "
                        + node.state().wire()
                        + node.url().map(url -> "; ask it there: " + url).orElse(""));
    }

    private <Q, A> Future<Optional<A>> ask(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(bus, question, patience).map(Optional::of).recover(cause -> {
            boolean alone = cause instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS;
            return alone ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(cause);
        });
    }
}
