package dev.loopkeeper.ownership;

import java.util.Optional;
import java.util.Set;

/** Which nodes may have a run: it moves only where its workspace is. Decided when the run is made, and kept. */
public sealed interface Placement {
    /** Whether this node may claim it; {@code roots} are the shared folders that the node has proven to see. */
    boolean hosts(String node, Set<String> roots);

    /**
     * Of a run that is made on this node.
     *
     * @param root the shared folder that its workspace lies below, if there is one
     * @param worktree whether it works in a worktree of its own: that lies in the node's data folder, and what the last
     *     step has not committed nobody else has
     */
    static Placement of(String node, Optional<String> root, boolean worktree) {
        return root.filter(shared -> !worktree).<Placement>map(Shared::new).orElseGet(() -> new Pinned(node));
    }

    /** Its workspace is on one machine's disk: it waits for that node. */
    record Pinned(String node) implements Placement {
        @Override
        public boolean hosts(String other, Set<String> roots) {
            return node.equals(other);
        }
    }

    /** Its workspace lies below a folder that several nodes see. */
    record Shared(String root) implements Placement {
        @Override
        public boolean hosts(String node, Set<String> roots) {
            return roots.contains(root);
        }
    }
}
