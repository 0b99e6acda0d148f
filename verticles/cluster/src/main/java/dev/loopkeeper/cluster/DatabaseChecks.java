package dev.loopkeeper.cluster;

import dev.loopkeeper.store.postgres.DatabaseFacts;
import dev.loopkeeper.store.postgres.PostgresOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Judges the facts of a database for a node. */
final class DatabaseChecks {
    /**
     * Connections of one node: two for its store, two for its lease, one each for requests and the node's verticle.
     */
    static final int CONNECTIONS = 6;

    /** A larger difference makes times of events and of the database's log hard to compare. */
    private static final Duration CLOCK = Duration.ofSeconds(2);

    private DatabaseChecks() {}

    static List<NodeCheck> of(DatabaseFacts facts, PostgresOptions options) {
        List<NodeCheck> checks = new ArrayList<>();
        checks.add(NodeCheck.needed(
                "the database keeps committed data",
                facts.problems().isEmpty(),
                facts.problems().isEmpty()
                        ? "fsync and synchronous_commit are on"
                        : facts.location() + " " + String.join(" It ", facts.problems())));
        checks.add(format(facts));
        checks.add(encrypted(facts, options));
        checks.add(clock(facts));
        return checks;
    }

    private static NodeCheck format(DatabaseFacts facts) {
        String guarantee = "the database's tables fit this Loopkeeper";
        if (facts.tables().problem().isPresent()) {
            return NodeCheck.needed(guarantee, false, facts.tables().problem().get());
        }
        if (facts.tables().format() == 0) {
            return NodeCheck.needed(
                    guarantee,
                    facts.server().mayCreate(),
                    facts.server().mayCreate()
                            ? "no tables yet; the first node creates them"
                            : facts.location()
                                    + " has no tables yet, and this user may not create them: GRANT CREATE ON DATABASE ..."
                                    + " TO ...");
        }
        return NodeCheck.useful(
                guarantee,
                facts.tables().format() == DatabaseFacts.FORMAT,
                facts.tables().format() == DatabaseFacts.FORMAT
                        ? "format " + facts.tables().format()
                        : "format " + facts.tables().format() + "; the next node that starts migrates it to "
                                + DatabaseFacts.FORMAT
                                + ", and nodes of earlier versions no longer start. Back up the database first");
    }

    private static NodeCheck encrypted(DatabaseFacts facts, PostgresOptions options) {
        boolean local = PostgresOptions.isLocal(options.url());
        boolean encrypted = options.tls().isPresent();
        return NodeCheck.useful(
                "the connection to the database is private",
                local || encrypted,
                encrypted
                        ? "TLS with a verified certificate"
                        : local
                                ? "the database is on this machine"
                                : "no TLS to " + facts.location()
                                        + ": anyone on the network path can read and change all data."
                                        + " Remove --insecure-store, or use it only in a private network or a tunnel");
    }

    private static NodeCheck clock(DatabaseFacts facts) {
        Duration off = facts.clock().ahead().abs();
        boolean same = off.compareTo(CLOCK.plus(facts.clock().roundTrip().dividedBy(2))) <= 0;
        String how = off.toMillis() + " ms " + (facts.clock().ahead().isNegative() ? "behind" : "ahead of")
                + " this machine";
        return NodeCheck.useful(
                "the clocks of this machine and the database agree",
                same,
                same
                        ? "its clock is " + how
                        : "its clock is " + how
                                + ". Leases do not depend on it, but times of events and the displayed silence"
                                + " of nodes are wrong; synchronize both with a time server");
    }

    /** @param nodes expected number of nodes, 1 or more */
    static NodeCheck connections(DatabaseFacts facts, long nodes) {
        long required = nodes * CONNECTIONS;
        String count = nodes + (nodes == 1 ? " node needs " : " nodes need ") + required
                + " connections, the database has " + Math.max(0, facts.server().connections()) + " for them";
        return NodeCheck.useful(
                "the database has connections for all nodes",
                facts.server().connections() >= required,
                facts.server().connections() >= required
                        ? count
                        : count
                                + ". Raise max_connections at the server, or the connection limit of the database or user");
    }
}
