package dev.loopkeeper.store.postgres;

import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreUnavailableException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Identity under which a node's store writes: name and current incarnation. {@link #take} changes it; any thread may
 * read it.
 */
public final class NodeRegistration {
    private final String node;
    private final Function<RunRow, Placement> placement;
    private final NodeHints hints = new NodeHints();
    private final AtomicLong incarnation = new AtomicLong();
    private volatile LongConsumer fenced = none -> {};

    /**
     * Creates a registration without a lease, under which the store refuses appends.
     *
     * @param placement decides which nodes may execute a new run
     */
    public NodeRegistration(String node, Function<RunRow, Placement> placement) {
        this.node = node;
        this.placement = placement;
    }

    /** Returns the node's name. */
    public String node() {
        return node;
    }

    /** Returns the hints that this node sends and receives. */
    public NodeHints hints() {
        return hints;
    }

    /** Returns the incarnation of the node's lease; 0 before the first lease. */
    public long incarnation() {
        return incarnation.get();
    }

    /** Sets the incarnation under which the store writes from now on. */
    public void take(long joined) {
        incarnation.set(joined);
    }

    /**
     * Sets the listener for appends that the database refused because the lease has ended. It is called on any thread,
     * possibly several times.
     */
    public void onFenced(LongConsumer listener) {
        fenced = listener;
    }

    void fenced(long under) {
        fenced.accept(under);
    }

    String placement(RunRow row) {
        return PlacementText.of(placement.apply(row));
    }

    StoreUnavailableException withoutDuty(String duty) {
        return new StoreUnavailableException("another node than " + node + " has the duty " + duty, null);
    }

    StoreUnavailableException lost() {
        return new StoreUnavailableException("node " + node + " has no lease now", null);
    }
}
