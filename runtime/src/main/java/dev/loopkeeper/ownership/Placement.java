package dev.loopkeeper.ownership;

import java.util.Set;

/** Which nodes may have a run: it moves only where its workspace is. Decided when the run is made, and kept. */
public sealed interface Placement {
    /** Whether this node may claim it; {@code roots} are the shared folders that the node has proven to see. */
    boolean hosts(String node, Set<String> roots);

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
