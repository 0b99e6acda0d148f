package dev.loopkeeper.cluster;

import dev.loopkeeper.store.postgres.DatabaseFacts;
import dev.loopkeeper.store.postgres.PostgresOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the facts of a database mean for a node. */
final class DatabaseChecks {
    /** Connections of one node: two of its store, two of its lease, one each for commands, questions and itself. */
    static final int CONNECTIONS = 7;

    /** Above it the times of events and of the database's log are not compared with ease. */
    private static final Duration CLOCK = Duration.ofSeconds(2);

    private DatabaseChecks() {}

    static List<NodeCheck> of(DatabaseFacts facts, PostgresOptions options) {
        List<NodeCheck> checks = new ArrayList<>();
        checks.add(NodeCheck.needed(
                "the database keeps what it has acknowledged",
                facts.unfit().isEmpty(),
                facts.unfit().isEmpty()
                        ? "fsync and synchronous_commit are on"
                        : facts.place() + " " + String.join(" It ", facts.unfit())));
        checks.add(format(facts));
        checks.add(encrypted(facts, options));
        checks.add(clock(facts));
        return checks;
    }

    private static NodeCheck format(DatabaseFacts facts) {
        String guarantee = "the database's tables are those of this Loopkeeper";
        if (facts.misfit().isPresent()) {
            return NodeCheck.needed(guarantee, false, facts.misfit().get());
        }
        if (facts.format() == 0) {
            return NodeCheck.needed(
                    guarantee,
                    facts.mayMake(),
                    facts.mayMake()
                            ? "there are none yet; the first node makes them"
                            : facts.place()
                                    + " has no tables yet, and this user may not make them: GRANT CREATE ON DATABASE ..."
                                    + " TO ...");
        }
        return NodeCheck.useful(
                guarantee,
                facts.format() == DatabaseFacts.FORMAT,
                facts.format() == DatabaseFacts.FORMAT
                        ? "format " + facts.format()
                        : "format " + facts.format() + "; the next node that starts makes it " + DatabaseFacts.FORMAT
                                + ", and nodes of the version before do not start any more. Back the database up first");
    }

    private static NodeCheck encrypted(DatabaseFacts facts, PostgresOptions options) {
        boolean local = PostgresOptions.isLocal(options.url());
        boolean encrypted = options.tls().isPresent();
        return NodeCheck.useful(
                "what is sent to the database stays between the two",
                local || encrypted,
                encrypted
                        ? "TLS, its certificate verified"
                        : local
                                ? "it is on this machine"
                                : "no TLS to " + facts.place() + ": whoever is on the way reads and changes all of it."
                                        + " Leave --insecure-store out, or use it over a private network or a tunnel only");
    }

    private static NodeCheck clock(DatabaseFacts facts) {
        Duration off = facts.ahead().abs();
        boolean same = off.compareTo(CLOCK.plus(facts.asked().dividedBy(2))) <= 0;
        String how = off.toMillis() + " ms " + (facts.ahead().isNegative() ? "behind" : "ahead of") + " this machine";
        return NodeCheck.useful(
                "this machine and the database have the same time",
                same,
                same
                        ? "its clock is " + how
                        : "its clock is " + how + ". No lease goes by it, but times of events of several nodes and how"
                                + " long a node is silent are told wrong; let both follow a time server");
    }

    /** @param nodes how many nodes there are to be, 1 or more */
    static NodeCheck room(DatabaseFacts facts, long nodes) {
        long wanted = nodes * CONNECTIONS;
        String count = nodes + (nodes == 1 ? " node takes " : " nodes take ") + wanted
                + " connections, the database has " + Math.max(0, facts.room()) + " for them";
        return NodeCheck.useful(
                "the database has connections for all nodes",
                facts.room() >= wanted,
                facts.room() >= wanted
                        ? count
                        : count + ". Raise max_connections at the server, or the limit of the database or the user");
    }
}
