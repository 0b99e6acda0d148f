package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.postgres.PostgresOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * A node of a cluster.
 *
 * @param node its name, 1 to 63 letters, digits, {@code .}, {@code _} and {@code -}
 * @param terms of this node; others may have a longer or a shorter lease
 * @param roots folders that all nodes see under these paths; runs of workspaces below them go to any node
 * @param url where people reach it; empty while it has no address
 * @param places how many runs it carries out at a time; 0 = no limit
 */
public record ClusterOptions(
        String node, PostgresOptions store, LeaseTerms terms, List<Path> roots, Supplier<String> url, int places) {
    /** What a node may be called. */
    public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

    /** Refuses, with {@link IllegalArgumentException}, another name and relative roots. */
    public ClusterOptions {
        if (!node.matches(NAME)) {
            throw new IllegalArgumentException(
                    "a node is named by 1 to 63 letters, digits, \".\", \"_\" and \"-\", was \"" + node + "\"");
        }
        for (Path root : roots) {
            if (!root.isAbsolute()) {
                throw new IllegalArgumentException("a shared root is an absolute path, was " + root);
            }
        }
    }

    /** {@link #places} as a number that no other is above. */
    int mostRuns() {
        return places == 0 ? Integer.MAX_VALUE : places;
    }
}
