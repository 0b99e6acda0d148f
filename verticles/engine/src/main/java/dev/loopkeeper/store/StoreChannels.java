package dev.loopkeeper.store;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;

/**
 * The event store on the bus: where {@link EventStoreVerticle} appends and publishes what became durable. Readers have the
 * port {@link EventStore} itself. Failures keep their codes: {@link StaleAppendException#CODE},
 * {@link KeyTakenException#CODE}, {@link StoreException#CODE}, {@link StoreUnavailableException#CODE}.
 */
public final class StoreChannels {
    /** Make events durable. They are published in the order of their positions after the answer is sent. */
    public static final RequestChannel<AppendEvents, Appended> APPEND =
            verb("append", AppendEvents.class, Appended.class);
    /** Remove ended runs and their folders. */
    public static final RequestChannel<PruneRuns, PrunedRuns> PRUNE = verb("prune", PruneRuns.class, PrunedRuns.class);
    /** Runs are gone from the store, and their folders are about to go. */
    public static final EventChannel<RunsRemoved> REMOVED =
            new EventChannel<>("loopkeeper.checkpoints.removed", RunsRemoved.class);
    /** Every durable event. */
    public static final EventChannel<PositionedEvent> EVENTS =
            new EventChannel<>("loopkeeper.events", PositionedEvent.class);
    /**
     * Of {@link #EVENTS} what was appended here, not by another who shares the store: each event by one of them. Published
     * just before it is told to everybody.
     */
    public static final EventChannel<PositionedEvent> OWN_EVENTS =
            new EventChannel<>("loopkeeper.own-events", PositionedEvent.class);
    /** How long each append took. */
    public static final EventChannel<AppendTimed> SYNCED =
            new EventChannel<>("loopkeeper.checkpoints.synced", AppendTimed.class);

    private StoreChannels() {}

    private static <Q, A> RequestChannel<Q, A> verb(String verb, Class<Q> question, Class<A> answer) {
        return new RequestChannel<>("loopkeeper.checkpoints." + verb, question, answer);
    }

    /** Durable events of one type, e.g. {@code loopkeeper.events.run.ended}. */
    public static EventChannel<PositionedEvent> eventsOf(String type) {
        return new EventChannel<>(EVENTS.address() + "." + type, PositionedEvent.class);
    }
}
