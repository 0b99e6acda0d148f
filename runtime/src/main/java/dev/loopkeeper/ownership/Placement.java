package dev.loopkeeper.ownership;

import java.util.Optional;
import java.util.Set;

/** Determines which nodes may own a run: those that can access its workspace. Fixed when the run is created. */
public sealed interface Placement {
    /** Whether this node may claim the run; {@code roots} are the shared folders that the node can access. */
    boolean hosts(String node, Set<String> roots);

    /**
     * The placement of a run that is created on this node.
     *
     * @param root the shared folder that contains its workspace, if any
     * @param worktree whether the run has its own worktree; the worktree is in the node's data folder, where no other
     * node sees uncommitted work
     */
    static Placement of(String node, Optional<String> root, boolean worktree) {
        return root.filter(folder -> !worktree).<Placement>map(Shared::new).orElseGet(() -> new Pinned(node));
    }

    /** The workspace is on one machine's disk; only that node may own the run. */
    record Pinned(String node) implements Placement {
        @Override
        public boolean hosts(String other, Set<String> roots) {
            return node.equals(other);
        }
    }

    /** The workspace is in a folder that several nodes can access. */
    record Shared(String root) implements Placement {
        @Override
        public boolean hosts(String node, Set<String> roots) {
            return roots.contains(root);
        }
    }
}
