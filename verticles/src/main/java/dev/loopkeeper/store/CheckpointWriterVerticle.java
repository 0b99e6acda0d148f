package dev.loopkeeper.store;

import dev.loopkeeper.bus.RecordCodec;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import java.util.List;

/** Puts an {@link EventStore} on the event bus. One instance: publications keep the order of positions only then. */
public final class CheckpointWriterVerticle extends VerticleBase {
    private final EventStore store;

    /** Serves this store, which whoever opened it closes after the verticle is gone. */
    public CheckpointWriterVerticle(EventStore store) {
        this.store = store;
    }

    @Override
    public Future<?> start() {
        RecordCodec.register(vertx);
        EventBus bus = vertx.eventBus();
        CheckpointWriter writer = new CheckpointWriter(bus, store);
        return Future.all(List.of(
                StoreChannels.APPEND.serve(bus, writer::append, writer::publish),
                StoreChannels.READ_EVENTS.serve(bus, writer::events),
                StoreChannels.READ_FEED.serve(bus, writer::eventsAfter),
                StoreChannels.LAST_POSITION.serve(bus, writer::lastPosition),
                StoreChannels.FIND.serve(bus, writer::find),
                StoreChannels.LOAD.serve(bus, writer::load),
                StoreChannels.LIST.serve(bus, store::list),
                StoreChannels.RUN_OF_KEY.serve(bus, writer::runOfKey),
                StoreChannels.ADD_RECEIPT.serve(bus, writer::addReceipt),
                StoreChannels.RECEIPTS.serve(bus, writer::receipts)));
    }
}
