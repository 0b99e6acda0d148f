package dev.loopkeeper.cluster;

import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.postgres.DatabaseFacts;
import dev.loopkeeper.store.postgres.PostgresEventStore;
import dev.loopkeeper.store.postgres.PostgresRunOwners;
import dev.loopkeeper.store.postgres.RunOwners;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at what a node would rest on, as the node does when it starts; changes nothing and joins nothing. */
public final class NodeCheckup {
    private static final String REACHED = "the database can be reached";

    private final Vertx vertx;
    private final ClusterOptions options;
    private final Path dataFolder;
    private final int members;

    /**
     * What was found.
     *
     * @param atWork whether this very node runs now
     */
    public record Report(List<NodeCheck> checks, boolean atWork) {}

    /** @param members how many nodes there are to be, as far as that is known; 0 where it is not */
    public NodeCheckup(Vertx vertx, ClusterOptions options, Path dataFolder, int members) {
        this.vertx = vertx;
        this.options = options;
        this.dataFolder = dataFolder;
        this.members = members;
    }

    /** Does not fail where the database refuses: it says so then. */
    public Future<Report> look() {
        return DatabaseFacts.look(vertx, options.store())
                .compose(this::reached)
                .recover(cause -> cause instanceof StoreException refused
                        ? Future.succeededFuture(
                                new Report(List.of(NodeCheck.needed(REACHED, false, remedy(refused))), false))
                        : Future.failedFuture(cause));
    }

    private static String remedy(StoreException refused) {
        return refused instanceof StoreAwayException
                ? refused.getMessage() + ". Check its address and that it runs."
                : refused.getMessage();
    }

    private Future<Report> reached(DatabaseFacts facts) {
        List<NodeCheck> checks = new ArrayList<>();
        checks.add(NodeCheck.needed(REACHED, true, facts.place() + ", " + facts.server()));
        checks.addAll(DatabaseChecks.of(facts, options.store()));
        if (!facts.hasNodes()) {
            checks.add(room(facts, List.of()));
            return Future.succeededFuture(new Report(checks, false));
        }
        RunOwners owners = PostgresRunOwners.of(vertx, options.store());
        return owners.look()
                .compose(look -> {
                    checks.add(room(facts, look.nodes()));
                    return vertx.executeBlocking(() -> PostgresEventStore.knownFolderMark(dataFolder), false)
                            .compose(mark -> {
                                Optional<RunOwners.NodeRow> own = look.nodes().stream()
                                        .filter(node -> node.facts().node().equals(options.node()))
                                        .filter(NodeCheckup::isAtWork)
                                        .findFirst();
                                boolean atWork = own.filter(node -> mark.equals(
                                                Optional.of(node.facts().folder())))
                                        .isPresent();
                                checks.add(name(own, atWork));
                                return new SharedRoots(options.node(), options.roots())
                                        .look(vertx, owners)
                                        .map(roots -> {
                                            checks.addAll(roots);
                                            return new Report(checks, atWork);
                                        });
                            });
                })
                .eventually(owners::close);
    }

    private static boolean isAtWork(RunOwners.NodeRow node) {
        return node.isLive() && node.beatAge() < node.facts().terms().lease().toMillis();
    }

    private NodeCheck name(Optional<RunOwners.NodeRow> own, boolean atWork) {
        String guarantee = "the node's name is its own";
        return own.filter(node -> !atWork)
                .map(other -> NodeCheck.needed(
                        guarantee,
                        false,
                        LeaseLoop.namesake(options.node(), other.facts().url())))
                .orElseGet(() -> NodeCheck.needed(
                        guarantee,
                        true,
                        atWork ? options.node() + " is at work now" : "nobody is at work as " + options.node()));
    }

    private NodeCheck room(DatabaseFacts facts, List<RunOwners.NodeRow> rows) {
        long known = rows.stream()
                .filter(node ->
                        !node.state().equals("left") && !node.facts().node().equals(options.node()))
                .count();
        long nodes = Math.max(members, known + 1);
        return DatabaseChecks.room(facts, nodes);
    }
}
