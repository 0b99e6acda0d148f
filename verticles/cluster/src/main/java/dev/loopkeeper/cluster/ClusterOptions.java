package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.PostgresOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * Options of a cluster node.
 *
 * @param node name of 1 to 63 letters, digits, {@code .}, {@code _} and {@code -}
 * @param terms lease of this node; other nodes may use another one
 * @param roots folders that all nodes see under these paths; any node may execute runs with a workspace below them
 * @param url for people; empty while the node has no address
 * @param places number of runs that the node executes at a time; 0 = no limit
 */
public record ClusterOptions(
        String node, PostgresOptions store, LeaseTerms terms, List<Path> roots, Supplier<String> url, int places) {
    /** Pattern of a node's name. */
    public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

    /** Fails with {@link IllegalArgumentException} for an invalid name or a relative root. */
    public ClusterOptions {
        if (!node.matches(NAME)) {
            throw new IllegalArgumentException(
                    "a node's name is 1 to 63 letters, digits, \".\", \"_\" and \"-\", was \"" + node + "\"");
        }
        for (Path root : roots) {
            if (!root.isAbsolute()) {
                throw new IllegalArgumentException("a shared root is an absolute path, was " + root);
            }
        }
    }

    /** Returns {@link #places}, or the largest number for no limit. */
    int mostRuns() {
        return places == 0 ? Integer.MAX_VALUE : places;
    }
}
