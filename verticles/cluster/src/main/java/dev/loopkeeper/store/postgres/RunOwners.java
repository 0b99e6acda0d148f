package dev.loopkeeper.store.postgres;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.ownership.Placement;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Port: stores which node owns which run. Each change is one statement or one transaction. Each method may fail with
 * {@link dev.loopkeeper.store.StoreUnavailableException}; then the caller does not know whether the change was made.
 */
public interface RunOwners {
    /**
     * The facts that a node publishes about itself.
     *
     * @param folder id of its data folder; distinguishes two nodes of one name
     * @param url for people and other nodes; empty without an address
     * @param roots shared folders that the node has proven to see
     * @param places number of run slots, 1 or more
     */
    record NodeFacts(
            String node, String folder, String url, String version, Set<String> roots, int places, LeaseTerms terms) {}

    /** A run with the epoch under which its owner writes. */
    record OwnedRun(String runId, long epoch) {}

    /** Result of joining. */
    sealed interface JoinResult {
        /**
         * The node has a lease.
         *
         * @param runs open runs that it owned before, with raised epochs
         */
        record Joined(long incarnation, List<OwnedRun> runs) implements JoinResult {}

        /** A node of the same name with another data folder holds the lease and may be alive. */
        record Occupied(NodeBeat beat, String folder, String url, long session) implements JoinResult {}
    }

    /**
     * A row of {@code nodes}.
     *
     * @param beatAge milliseconds since the last beat by the database's clock; for display only
     * @param open number of owned runs that are neither ended nor paused
     * @param held number of owned runs that take a slot: not queued and not paused, or claimed moments ago
     */
    record NodeRow(NodeFacts facts, long incarnation, long beat, String state, long beatAge, int open, int held) {
        /** Returns whether the state is {@code live}. */
        public boolean isLive() {
            return state.equals("live");
        }

        /** Returns whether it is live and not silent for so long that it has ended its processes. */
        public boolean beats() {
            return isLive() && beatAge < facts.terms().stopAfter().toMillis();
        }

        /** Returns the beat that other nodes observe. */
        public NodeBeat asBeat() {
            return new NodeBeat(facts.node(), incarnation, beat, facts.terms());
        }
    }

    /**
     * All nodes at one moment.
     *
     * @param session number of the connection; a different number means that earlier snapshots prove nothing
     */
    record NodeSnapshot(long session, List<NodeRow> nodes) {}

    /**
     * The owner of a run.
     *
     * @param node absent if no node owns the run
     */
    record Owner(Optional<String> node, long epoch, Optional<Placement> placement) {}

    /**
     * Numbers of commands and runs that wait for a node.
     *
     * @param commands commands that no node has taken
     * @param runs open runs without a live owner
     */
    record Unattended(long commands, long runs) {}

    /**
     * Begins a lease, see {@link dev.loopkeeper.ownership.LeaseCommand.Join}. Until the first renewal other nodes use
     * the longer of the new and the former lease, because the node's processes still follow the former one.
     */
    Future<JoinResult> join(NodeFacts facts);

    /** Raises the beat and updates URL and lease. Returns whether this incarnation is live. */
    Future<Boolean> renew(NodeFacts facts, long incarnation);

    /**
     * Ends the lease of another folder under the node's own name if its beat is unchanged, as {@link #fence} does.
     * Returns whether it did.
     */
    Future<Boolean> replace(NodeBeat silent);

    /**
     * Returns the required content of a shared root's marker file: {@code proposed} if no node has named the root
     * before.
     */
    Future<String> rootMark(String root, String proposed);

    /** Returns the required content if a node has named the root; changes nothing. */
    Future<Optional<String>> knownRootMark(String root);

    /** Returns all nodes, sorted by name. */
    Future<NodeSnapshot> nodes();

    /**
     * Ends the lease of a node whose beat is unchanged and frees its open runs, if node {@code by} is live. Returns
     * whether it did.
     */
    Future<Boolean> fence(NodeBeat silent, String by, long incarnation);

    /** Returns open runs without a live owner that this node can execute, oldest first. */
    Future<List<FreeRun>> free(String node, Set<String> roots, int limit);

    /** Returns those of this node's runs that other nodes with these roots can execute, oldest first. */
    Future<List<FreeRun>> movable(List<String> runIds, String node, Set<String> roots);

    /**
     * Makes the node the owner of those runs that have no live owner, if the node is live with this incarnation.
     * Returns the claimed runs.
     */
    Future<List<OwnedRun>> claim(List<String> runIds, String node, long incarnation);

    /** Counts commands and runs that wait for a node. */
    Future<Unattended> unattended();

    /** Returns the open runs of a node. */
    Future<List<OwnedRun>> owned(String node);

    /** Removes the owner of those of these runs that the node owns under this incarnation. */
    Future<Void> release(List<String> runIds, String node, long incarnation);

    /**
     * Marks the node as left if it owns no open run, so that others need not wait for its lease. Returns whether it
     * did.
     */
    Future<Boolean> leave(String node, long incarnation);

    /** Returns the owner; empty for an unknown run. */
    Future<Optional<Owner>> owner(String runId);

    /** Publishes the URL of a joined node. */
    Future<Void> announce(String node, String url);

    /** Returns the node that started this step; empty for an unknown step. */
    Future<Optional<String>> nodeOfStep(String runId, String stepId);

    /** Returns the nodes that started steps of this run, without duplicates; the latest is last. */
    Future<List<String>> nodesOfSteps(String runId);

    /**
     * Takes a duty that no live node has, if this node is live with this incarnation. Returns whether this node has it.
     * Then all writes of the former holder are visible, and no more can follow.
     */
    Future<Boolean> takeDuty(String duty, String node, long incarnation);

    /** Gives the duty back if this node has it under this incarnation. */
    Future<Void> releaseDuty(String duty, String node, long incarnation);

    /**
     * Takes all these signal files for a run of this node that is about to become active, or none of them if another
     * run uses one. An active run uses its files, whichever node owns it.
     *
     * @param sequence number of the run's last event; with the next one it is active, or does not use the files
     * @return the runs that use these files, by file; empty if the files were taken
     */
    Future<Map<String, String>> takeSignalFiles(
            String runId, long sequence, Set<String> files, String node, long incarnation);

    /** Releases the files that this node took for a run which has not become active. */
    Future<Void> releaseSignalFiles(String runId, String node, long incarnation);

    /** Returns letters and digits that identify this database among all databases. */
    Future<String> identity();

    /** Closes the connection. */
    Future<Void> close();
}
