package dev.loopkeeper.store;

import dev.loopkeeper.bus.EventChannel;
import dev.loopkeeper.bus.RequestChannel;

/** Where the checkpoint writer is asked, and where it publishes what became durable. */
public final class StoreChannels {
    /** Make events durable; they are published in the order of their positions after the answer is sent. */
    public static final RequestChannel<AppendEvents, Appended> APPEND =
            new RequestChannel<>("loopkeeper.checkpoints.append", AppendEvents.class, Appended.class);
    /** Every durable event. */
    public static final EventChannel<PositionedEvent> EVENTS =
            new EventChannel<>("loopkeeper.events", PositionedEvent.class);

    private StoreChannels() {}

    /** Durable events of one type, e.g. {@code loopkeeper.events.run.ended}. */
    public static EventChannel<PositionedEvent> eventsOf(String type) {
        return new EventChannel<>(EVENTS.address() + "." + type, PositionedEvent.class);
    }
}
