package dev.loopkeeper.store;

import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;

/** Publishes on the event bus what became durable. On one context. */
final class EventPublisher {
    private final EventBus bus;
    private final EventStore store;

    EventPublisher(EventBus bus, EventStore store) {
        this.bus = bus;
        this.store = store;
    }

    Future<Appended> append(AppendEvents append) {
        long asked = System.nanoTime();
        return store.append(append)
                .onSuccess(durable -> StoreChannels.SYNCED.publish(
                        bus, new AppendTimed(append.events().size(), System.nanoTime() - asked)));
    }

    /**
     * To be called after the answer was sent: whoever hears an event and asks its run's owner finds an owner that knows.
     * Answers come in the order of commits, so do publications.
     */
    void publish(AppendEvents append, Appended appended) {
        long position = appended.lastPosition() - append.events().size();
        for (StoredEvent event : append.events()) {
            position++;
            PositionedEvent positioned = new PositionedEvent(position, event);
            StoreChannels.EVENTS.publish(bus, positioned);
            StoreChannels.eventsOf(event.type()).publish(bus, positioned);
        }
    }
}
