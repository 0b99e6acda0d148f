package dev.loopkeeper.store.postgres;

import dev.loopkeeper.ownership.Claimant.FreeRun;
import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.ownership.NodeBeat;
import dev.loopkeeper.ownership.Placement;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Port: who carries out which run, as the database has it. Each change is one statement or one transaction and holds
 * for all nodes. Every question may fail with {@link dev.loopkeeper.store.StoreAwayException}: then nobody knows what
 * became of it.
 */
public interface RunOwners {
    /**
     * What a node says of itself.
     *
     * @param folder which data folder it has; two nodes of one name differ in it
     * @param url where people and other nodes reach it; empty where it has no address
     * @param roots shared folders that it has proven to see
     * @param places how many runs it carries out at a time, 1 or more
     */
    record NodeFacts(
            String node,
            String folder,
            String url,
            String bootId,
            String version,
            Set<String> roots,
            int places,
            LeaseTerms terms) {}

    /** A run and the token with which its owner writes it. */
    record OwnedRun(String runId, long epoch) {}

    /** How joining has ended. */
    sealed interface Answer {
        /**
         * The node is live.
         *
         * @param runs open ones that are its own since before, with raised epochs
         */
        record Joined(long incarnation, List<OwnedRun> runs) implements Answer {}

        /** The name's lease is that of another folder, which may be live. */
        record Occupied(NodeBeat beat, String folder, String url, long session) implements Answer {}
    }

    /**
     * A node as its row says.
     *
     * @param beatAge how long ago by the database's clock it was heard, in milliseconds; for people
     * @param open how many open runs it has that are not paused
     * @param held how many of them take a place: neither queued nor paused, or claimed a moment ago
     */
    record NodeRow(NodeFacts facts, long incarnation, long beat, String state, long beatAge, int open, int held) {
        /** Whether its state is {@code live}. */
        public boolean isLive() {
            return state.equals("live");
        }

        /** What others observe. */
        public NodeBeat asBeat() {
            return new NodeBeat(facts.node(), incarnation, beat, facts.terms());
        }
    }

    /**
     * All nodes at one moment.
     *
     * @param session number of the connection over which it was seen; another one proves nothing about earlier looks
     */
    record Look(long session, List<NodeRow> nodes) {}

    /**
     * Who carries a run out.
     *
     * @param node absent: nobody
     */
    record Owner(Optional<String> node, long epoch, Optional<Placement> placement) {}

    /**
     * What waits for a node.
     *
     * @param commands those that no node has taken yet
     * @param runs open ones without a live owner
     */
    record Unattended(long commands, long runs) {}

    /**
     * Begins a lease, as {@link dev.loopkeeper.ownership.LeaseCommand.Join} says. Until it is renewed the others go by the
     * longer one of it and the lease before: the node's processes go by that until they are told of another.
     */
    Future<Answer> join(NodeFacts facts);

    /** Raises the beat and says where the node is reached and how long its lease is; whether this incarnation is live. */
    Future<Boolean> renew(NodeFacts facts, long incarnation);

    /**
     * Ends the lease of another folder under a node's own name that was seen with just this beat, as {@link #fence}
     * does. Whether it did.
     */
    Future<Boolean> replace(NodeBeat silent);

    /** What the marker file of a shared root must hold: {@code proposed} where nobody has named the root before. */
    Future<String> rootMark(String root, String proposed);

    /** What it must hold, where somebody has named the root; changes nothing. */
    Future<Optional<String>> knownRootMark(String root);

    /** All nodes by name. */
    Future<Look> look();

    /**
     * Ends the lease of a node that was seen with just this beat, and frees its open runs, if {@code by} is live. Whether
     * it did.
     */
    Future<Boolean> fence(NodeBeat silent, String by, long incarnation);

    /** Open runs without a live owner that this node could host, the oldest first. */
    Future<List<FreeRun>> free(String node, Set<String> roots, int limit);

    /** Those of this node's runs that other nodes that see these folders could host, the oldest first. */
    Future<List<FreeRun>> movable(List<String> runIds, String node, Set<String> roots);

    /**
     * Makes these runs this node's, if it is live with this incarnation: those that are still free, or have ended and
     * have no live owner.
     */
    Future<List<OwnedRun>> claim(List<String> runIds, String node, long incarnation);

    /** How much waits for a node. */
    Future<Unattended> unattended();

    /** The open runs of a node. */
    Future<List<OwnedRun>> owned(String node);

    /** Gives back those that are this node's under this incarnation. */
    Future<Void> release(List<String> runIds, String node, long incarnation);

    /** Says that the node needs not be waited for: it has nothing any more. Whether that is so. */
    Future<Boolean> leave(String node, long incarnation);

    /** Empty for a run that is not there. */
    Future<Optional<Owner>> owner(String runId);

    /** Where this node, which has joined, serves people. */
    Future<Void> announce(String node, String url);

    /** Under which node's ownership this step was begun; empty for one that is not there. */
    Future<Optional<String>> nodeOfStep(String runId, String stepId);

    /** The nodes under whose ownership steps of this run were begun, each once; the one that did so last comes last. */
    Future<List<String>> nodesOfSteps(String runId);

    /**
     * Makes a duty this node's, if it is live with this incarnation and nobody live has it; whether it is this node's
     * now. What was written under it by whoever had it before is to be seen then, and nothing more of that comes.
     */
    Future<Boolean> takeDuty(String duty, String node, long incarnation);

    /** Gives it back, if it is this node's under this incarnation. */
    Future<Void> releaseDuty(String duty, String node, long incarnation);

    /** The same for all who have this database open, and for nobody else: letters and digits. */
    Future<String> identity();

    /** Lets go of the connection. */
    Future<Void> close();
}
