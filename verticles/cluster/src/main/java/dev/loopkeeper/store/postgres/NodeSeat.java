package dev.loopkeeper.store.postgres;

import dev.loopkeeper.ownership.Placement;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreAwayException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** As whom a node's store writes. Changed when the node has joined, read by any thread. */
public final class NodeSeat {
    private final String node;
    private final Function<RunRow, Placement> placement;
    private final NodeHints hints = new NodeHints();
    private final AtomicLong incarnation = new AtomicLong();
    private volatile LongConsumer fenced = none -> {};

    /**
     * Not joined yet: what is appended is refused.
     *
     * @param placement where a run that is made here may be carried out
     */
    public NodeSeat(String node, Function<RunRow, Placement> placement) {
        this.node = node;
        this.placement = placement;
    }

    /** The node's name. */
    public String node() {
        return node;
    }

    /** What it tells the other nodes, and they tell it. */
    public NodeHints hints() {
        return hints;
    }

    /** Of the node's present lease; 0 before the first. */
    public long incarnation() {
        return incarnation.get();
    }

    /** From now on the store writes under this incarnation. */
    public void take(long joined) {
        incarnation.set(joined);
    }

    /** Who is told that the database has ended a lease under which an append was asked; any thread, any number of times. */
    public void onFenced(LongConsumer listener) {
        fenced = listener;
    }

    void fenced(long under) {
        fenced.accept(under);
    }

    String placement(RunRow row) {
        return PlacementText.of(placement.apply(row));
    }

    StoreAwayException withoutDuty(String duty) {
        return new StoreAwayException("another node than " + node + " has the duty " + duty, null);
    }

    StoreAwayException lost() {
        return new StoreAwayException("node " + node + " has no lease now", null);
    }
}
