package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.run.GetRunPlaces;
import dev.loopkeeper.contract.run.GetStep;
import dev.loopkeeper.contract.run.NodeChannels;
import dev.loopkeeper.contract.run.NodeList;
import dev.loopkeeper.contract.run.NodeSelf;
import dev.loopkeeper.contract.run.RunPlaces;
import dev.loopkeeper.contract.run.StepPlace;
import dev.loopkeeper.store.postgres.NodeHints;
import dev.loopkeeper.store.postgres.PostgresNodeMail;
import dev.loopkeeper.store.postgres.PostgresOptions;
import dev.loopkeeper.store.postgres.PostgresRunOwners;
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
 * Answers what is asked of a node about itself and the others, and tells the others where it serves people, which is known
 * late. Deployed first and undeployed last: while it is there, the server is known to be a node.
 */
final class NodeAnswers extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(NodeAnswers.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration GREET = Duration.ofSeconds(15);

    private final RunRouter.Seat seat;
    private final PostgresOptions store;
    private final Supplier<String> url;
    private final LeaseFigures figures;
    private final NodeHints hints;
    private final Optional<BusSource> source;
    private RunOwners owners;
    private NodeBus bus;
    private NodeLine line;

    /** @param url empty until it is known */
    NodeAnswers(
            RunRouter.Seat seat,
            PostgresOptions store,
            Supplier<String> url,
            LeaseFigures figures,
            NodeHints hints,
            Optional<BusSource> source) {
        this.seat = seat;
        this.store = store;
        this.url = url;
        this.figures = figures;
        this.hints = hints;
        this.source = source;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        owners = PostgresRunOwners.of(vertx, store);
        bus = new NodeBus(vertx, seat.node(), hints, source);
        line = new NodeLine(vertx, seat.node(), PostgresNodeMail.of(vertx, store, hints), bus);
        line.begin();
        bus.open(owners::identity, line::answer);
        long unused = vertx.setTimer(LOOK.toMillis(), due -> announce());
        if (source.isPresent()) {
            long unusedToo = vertx.setPeriodic(GREET.toMillis(), due -> greet());
        }
        return Future.all(List.of(
                NodeChannels.LIST.serve(vertx.eventBus(), asked -> nodes().map(NodeList::new)),
                NodeChannels.SELF.serve(
                        vertx.eventBus(), asked -> Future.succeededFuture(new NodeSelf(seat.node(), seat.isLive()))),
                NodeChannels.FIGURES.serve(
                        vertx.eventBus(), asked -> unattended().map(known -> figures.at(BootClock.now(), known))),
                NodeChannels.STEP.serve(vertx.eventBus(), this::place),
                NodeChannels.PLACES.serve(vertx.eventBus(), this::places),
                NodeChannels.ASK.serve(vertx.eventBus(), line::ask)));
    }

    @Override
    public Future<?> stop() {
        // The bus is left on a context of its own.
        return new HomeContext(context)
                .bring(bus.close())
                .transform(left -> line.end())
                .eventually(owners::close);
    }

    private void greet() {
        owners.look()
                .onComplete(
                        look -> look.nodes().stream()
                                .filter(row ->
                                        row.isLive() && !row.facts().node().equals(seat.node()))
                                .forEach(row -> bus.greet(row.facts().node())),
                        cause -> LOG.debug("nobody is greeted now: {}", cause.getMessage()));
    }

    private void announce() {
        String known = url.get();
        Future<Void> told = known.isEmpty() || !seat.isLive()
                ? Future.failedFuture("not yet")
                : owners.announce(seat.node(), known);
        told.onFailure(later -> {
            LOG.debug("this node's address is not told yet: {}", later.getMessage());
            long unused = vertx.setTimer(LOOK.toMillis(), due -> announce());
        });
    }

    /** Whoever collects figures does not wait for a database that is away. */
    private Future<Optional<RunOwners.Unattended>> unattended() {
        return owners.unattended()
                .timeout(LOOK.toMillis(), TimeUnit.MILLISECONDS)
                .map(Optional::of)
                .otherwise(Optional.empty());
    }

    private Future<List<Node>> nodes() {
        return owners.look().map(look -> look.nodes().stream().map(this::shown).toList());
    }

    private Future<StepPlace> place(GetStep asked) {
        return owners.nodeOfStep(asked.runId(), asked.stepId())
                .compose(name -> name.isEmpty()
                        ? Future.succeededFuture(new StepPlace(Optional.empty()))
                        : nodes().map(all -> new StepPlace(all.stream()
                                .filter(node -> node.node().equals(name.get()))
                                .findFirst())));
    }

    /** Also a node that is not known any more is named. */
    private Future<RunPlaces> places(GetRunPlaces asked) {
        return owners.nodesOfSteps(asked.runId())
                .compose(names -> nodes().map(all -> new RunPlaces(names.stream()
                        .map(name -> all.stream()
                                .filter(node -> node.node().equals(name))
                                .findFirst()
                                .orElseGet(() -> unknown(name)))
                        .toList())));
    }

    private static Node unknown(String name) {
        return new Node(
                name,
                Node.State.LEFT,
                false,
                OptionalLong.empty(),
                Optional.empty(),
                "",
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    private Node shown(RunOwners.NodeRow row) {
        boolean heard = row.beatAge() < row.facts().terms().stopAfter().toMillis();
        Node.State state = !row.isLive()
                ? Node.State.valueOf(row.state().toUpperCase(Locale.ROOT))
                : heard ? Node.State.LIVE : Node.State.SILENT;
        return new Node(
                row.facts().node(),
                state,
                row.facts().node().equals(seat.node()),
                state == Node.State.LIVE ? OptionalLong.empty() : OptionalLong.of(Math.max(0, row.beatAge())),
                Optional.of(row.facts().url()).filter(url -> !url.isEmpty()),
                row.facts().version(),
                OptionalInt.of(row.open()),
                row.facts().places() == Integer.MAX_VALUE
                        ? OptionalInt.empty()
                        : OptionalInt.of(row.facts().places()));
    }
}
