package dev.loopkeeper.store;

import dev.loopkeeper.contract.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/**
 * Appends for {@link CheckpointWriter} and publishes durable events. Deploy one instance, which keeps publications in
 * the order of positions.
 */
public final class EventStoreVerticle extends VerticleBase {
    private final EventStore store;
    private EventPublisher publisher;

    /** Serves this store. The caller closes it after the verticle is undeployed. */
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
