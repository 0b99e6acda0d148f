package dev.loopkeeper.cluster;

import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.postgres.DatabaseFacts;
import dev.loopkeeper.store.postgres.FolderMark;
import dev.loopkeeper.store.postgres.RunOwners;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the requirements of a node as its start does; changes nothing and does not join. */
public final class NodeCheckup {
    private static final String REACHED = "the database can be reached";

    private final Vertx vertx;
    private final ClusterOptions options;
    private final Path dataFolder;
    private final int members;

    /**
     * Results of all checks.
     *
     * @param atWork whether this node is already active
     */
    public record Report(List<NodeCheck> checks, boolean atWork) {}

    /** @param members expected number of nodes; 0 if unknown */
    public NodeCheckup(Vertx vertx, ClusterOptions options, Path dataFolder, int members) {
        this.vertx = vertx;
        this.options = options;
        this.dataFolder = dataFolder;
        this.members = members;
    }

    /** Reports a database that refuses the connection as a failed check. */
    public Future<Report> check() {
        return DatabaseFacts.inspect(vertx, options.store())
                .compose(this::reached)
                .recover(cause -> cause instanceof StoreException refused
                        ? Future.succeededFuture(
                                new Report(List.of(NodeCheck.needed(REACHED, false, remedy(refused))), false))
                        : Future.failedFuture(cause));
    }

    private static String remedy(StoreException refused) {
        return refused instanceof StoreUnavailableException
                ? refused.getMessage() + ". Check its URL and that the server is up."
                : refused.getMessage();
    }

    private Future<Report> reached(DatabaseFacts facts) {
        List<NodeCheck> checks = new ArrayList<>();
        checks.add(NodeCheck.needed(
                REACHED,
                true,
                facts.location() + ", PostgreSQL " + facts.server().version()));
        checks.addAll(DatabaseChecks.of(facts, options.store()));
        if (!facts.hasNodes()) {
            checks.add(connections(facts, List.of()));
            return Future.succeededFuture(new Report(checks, false));
        }
        RunOwners owners = new RunOwners(vertx, options.store());
        return owners.nodes()
                .compose(look -> {
                    checks.add(connections(facts, look.nodes()));
                    return vertx.executeBlocking(() -> FolderMark.known(dataFolder), false)
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
                                        .check(vertx, owners)
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
        String guarantee = "no other node has this node's name";
        return own.filter(node -> !atWork)
                .map(other -> NodeCheck.needed(
                        guarantee,
                        false,
                        LeaseLoop.duplicate(options.node(), other.facts().url())))
                .orElseGet(() -> NodeCheck.needed(
                        guarantee,
                        true,
                        atWork ? options.node() + " is active now" : "no other node is active as " + options.node()));
    }

    private NodeCheck connections(DatabaseFacts facts, List<RunOwners.NodeRow> rows) {
        long known = rows.stream()
                .filter(node ->
                        !node.state().equals("left") && !node.facts().node().equals(options.node()))
                .count();
        long nodes = Math.max(members, known + 1);
        return DatabaseChecks.connections(facts, nodes);
    }
}
