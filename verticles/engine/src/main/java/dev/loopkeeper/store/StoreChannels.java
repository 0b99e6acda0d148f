package dev.loopkeeper.store;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;

/**
 * Event-bus channels of the store, served by {@link EventStoreVerticle}. Readers use the port {@link EventStore}
 * directly. Failure codes: {@link StaleAppendException#CODE}, {@link KeyTakenException#CODE},
 * {@link StoreException#CODE}, {@link StoreUnavailableException#CODE}.
 */
public final class StoreChannels {
    /** Makes events durable. They are published in the order of positions after the answer is sent. */
    public static final RequestChannel<AppendEvents, Appended> APPEND =
            channel("append", AppendEvents.class, Appended.class);
    /** Removes ended runs and their folders. */
    public static final RequestChannel<PruneRuns, PrunedRuns> PRUNE =
            channel("prune", PruneRuns.class, PrunedRuns.class);
    /** Runs were removed from the store; their folders are removed next. */
    public static final EventChannel<RunsRemoved> REMOVED =
            new EventChannel<>("loopkeeper.checkpoints.removed", RunsRemoved.class);
    /** All durable events. */
    public static final EventChannel<PositionedEvent> EVENTS =
            new EventChannel<>("loopkeeper.events", PositionedEvent.class);
    /**
     * Events that this process appended; processes that share a store each publish their own. Published just before
     * {@link #EVENTS}.
     */
    public static final EventChannel<PositionedEvent> OWN_EVENTS =
            new EventChannel<>("loopkeeper.own-events", PositionedEvent.class);
    /** Duration of each append. */
    public static final EventChannel<AppendTimed> SYNCED =
            new EventChannel<>("loopkeeper.checkpoints.synced", AppendTimed.class);

    private StoreChannels() {}

    private static <Q, A> RequestChannel<Q, A> channel(String name, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.checkpoints." + name, question, answer);
    }

    /** Durable events of one type, e.g. {@code loopkeeper.events.run.ended}. */
    public static EventChannel<PositionedEvent> eventsOf(String type) {
        return new EventChannel<>(EVENTS.address() + "." + type, PositionedEvent.class);
    }
}
