package dev.loopkeeper.cluster;

import dev.loopkeeper.contract.run.GetStep;
import dev.loopkeeper.contract.run.NodeChannels;
import dev.loopkeeper.contract.run.NodeList;
import dev.loopkeeper.contract.run.NodeSelf;
import dev.loopkeeper.contract.run.StepPlace;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.RunOwners;
import dev.loopkeeper.view.Node;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Answers what is asked of a node about itself and the others. */
final class NodeAnswers {
    private final RunRouter.Seat seat;
    private final RunOwners owners;
    private final LeaseTerms terms;

    NodeAnswers(RunRouter.Seat seat, RunOwners owners, LeaseTerms terms) {
        this.seat = seat;
        this.owners = owners;
        this.terms = terms;
    }

    /** From now on, until the verticle on whose context this is called is gone. */
    Future<Void> serve(EventBus bus) {
        return Future.all(List.of(
                        NodeChannels.LIST.serve(bus, asked -> nodes().map(NodeList::new)),
                        NodeChannels.SELF.serve(
                                bus, asked -> Future.succeededFuture(new NodeSelf(seat.node(), seat.isLive()))),
                        NodeChannels.STEP.serve(bus, this::place)))
                .mapEmpty();
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

    private Node shown(RunOwners.NodeRow row) {
        boolean heard = row.beatAge() < terms.stopAfter().toMillis();
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
