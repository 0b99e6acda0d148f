package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.GetRunNodes;
import dev.loopkeeper.contract.NodeChannels.NodeList;
import dev.loopkeeper.contract.NodeChannels.NodeSelf;
import dev.loopkeeper.contract.NodeChannels.RunNodes;
import dev.loopkeeper.contract.NodeChannels.StepNode;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.store.postgres.NodeHints;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the channels of a cluster node: its state, the other nodes, and requests between nodes. Publishes the node's
 * URL once it is known. Deployed first and undeployed last, because its presence marks the server as a node.
 */
final class NodeVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(NodeVerticle.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(15);

    private final RunRouter.LocalNode localNode;
    private final PostgresOptions store;
    private final Supplier<String> url;
    private final LeaseFigures figures;
    private final NodeQueries queries;
    private final NodeHints hints;
    private final Optional<BusSource> source;
    private RunOwners owners;
    private Optional<NodeBus> bus = Optional.empty();

    /** @param url empty until it is known */
    NodeVerticle(
            RunRouter.LocalNode localNode,
            PostgresOptions store,
            Supplier<String> url,
            LeaseFigures figures,
            NodeQueries queries,
            NodeHints hints,
            Optional<BusSource> source) {
        this.localNode = localNode;
        this.store = store;
        this.url = url;
        this.figures = figures;
        this.queries = queries;
        this.hints = hints;
        this.source = source;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        owners = new RunOwners(vertx, store);
        bus = source.map(joins -> new NodeBus(vertx, localNode.node(), hints, joins));
        bus.ifPresent(made -> {
            made.open(owners::identity);
            long unused = vertx.setPeriodic(PROBE_INTERVAL.toMillis(), due -> probe(made));
        });
        long unused = vertx.setTimer(POLL_INTERVAL.toMillis(), due -> announce());
        return Future.all(List.of(
                NodeChannels.LIST.serve(vertx.eventBus(), asked -> nodes().map(NodeList::new)),
                NodeChannels.SELF.serve(
                        vertx.eventBus(),
                        asked -> Future.succeededFuture(new NodeSelf(localNode.node(), localNode.isLive()))),
                NodeChannels.FIGURES.serve(
                        vertx.eventBus(), asked -> unattended().map(known -> figures.at(BootClock.now(), known))),
                NodeChannels.STEP.serve(vertx.eventBus(), this::nodeOf),
                NodeChannels.RUN_NODES.serve(vertx.eventBus(), this::nodesOf),
                NodeChannels.ASK.serve(vertx.eventBus(), queries::ask)));
    }

    @Override
    public Future<?> stop() {
        // The bus closes on a context of its own.
        return new HomeContext(context)
                .bring(bus.map(NodeBus::close).orElseGet(Future::succeededFuture))
                .eventually(owners::close);
    }

    private void probe(NodeBus joined) {
        owners.nodes()
                .onComplete(
                        look -> look.nodes().stream()
                                .filter(row ->
                                        row.isLive() && !row.facts().node().equals(localNode.node()))
                                .forEach(row -> joined.probe(row.facts().node())),
                        cause -> LOG.debug("other nodes are not probed now: {}", cause.getMessage()));
    }

    private void announce() {
        String known = url.get();
        Future<Void> announced = known.isEmpty() || !localNode.isLive()
                ? Future.failedFuture("not yet")
                : owners.announce(localNode.node(), known);
        announced.onFailure(cause -> {
            LOG.debug("this node's URL is not published yet: {}", cause.getMessage());
            long unused = vertx.setTimer(POLL_INTERVAL.toMillis(), due -> announce());
        });
    }

    /** Returns empty after a short time, so that metrics do not wait for an unavailable database. */
    private Future<Optional<RunOwners.Unattended>> unattended() {
        return owners.unattended()
                .timeout(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)
                .map(Optional::of)
                .otherwise(Optional.empty());
    }

    private Future<List<Node>> nodes() {
        return owners.nodes().map(look -> look.nodes().stream().map(this::shown).toList());
    }

    private Future<StepNode> nodeOf(GetStep asked) {
        return owners.nodeOfStep(asked.runId(), asked.stepId())
                .compose(name -> name.isEmpty()
                        ? Future.succeededFuture(new StepNode(Optional.empty()))
                        : nodes().map(all -> new StepNode(all.stream()
                                .filter(node -> node.node().equals(name.get()))
                                .findFirst())));
    }

    /** Includes nodes that are no longer known, by name only. */
    private Future<RunNodes> nodesOf(GetRunNodes asked) {
        return owners.nodesOfSteps(asked.runId())
                .compose(names -> nodes().map(all -> new RunNodes(names.stream()
                        .map(name -> all.stream()
                                .filter(node -> node.node().equals(name))
                                .findFirst()
                                .orElseGet(() -> unknown(name)))
                        .toList())));
    }

    private static Node unknown(String name) {
        return new Node(name, Node.State.LEFT, false, OptionalLong.empty(), Optional.empty(), "", Node.Load.NONE);
    }

    private Node shown(RunOwners.NodeRow row) {
        Node.State state = !row.isLive()
                ? Node.State.valueOf(row.state().toUpperCase(Locale.ROOT))
                : row.beats() ? Node.State.LIVE : Node.State.SILENT;
        return new Node(
                row.facts().node(),
                state,
                row.facts().node().equals(localNode.node()),
                state == Node.State.LIVE ? OptionalLong.empty() : OptionalLong.of(Math.max(0, row.beatAge())),
                Optional.of(row.facts().url()).filter(url -> !url.isEmpty()),
                row.facts().version(),
                new Node.Load(
                        OptionalInt.of(row.open()),
                        row.facts().places() == Integer.MAX_VALUE
                                ? OptionalInt.empty()
                                : OptionalInt.of(row.facts().places())));
    }
}
