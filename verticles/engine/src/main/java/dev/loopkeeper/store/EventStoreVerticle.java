package dev.loopkeeper.store;

import dev.loopkeeper.contract.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/**
 * Appends to an {@link EventStore} for {@link CheckpointWriter} and publishes what became durable. One instance:
 * publications keep the order of positions only then.
 */
public final class EventStoreVerticle extends VerticleBase {
    private final EventStore store;
    private EventPublisher publisher;

    /** Serves this store, which whoever opened it closes after the verticle is gone. */
    public EventStoreVerticle(EventStore store) {
        this.store = store;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        publisher = new EventPublisher(vertx, store);
        return publisher
                .begin()
                .compose(begun -> StoreChannels.APPEND.serve(vertx.eventBus(), publisher::append, publisher::publish));
    }

    @Override
    public Future<?> stop() {
        publisher.end();
        return Future.succeededFuture();
    }
}
