package dev.loopkeeper.store;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.function.Function;

/**
 * Puts an {@link EventStore} on the event bus, for {@link BusEventStore}. One instance: publications keep the order of
 * positions only then.
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
        return publisher.begin().compose(begun -> serve());
    }

    @Override
    public Future<?> stop() {
        publisher.end();
        return Future.succeededFuture();
    }

    private Future<?> serve() {
        return Future.all(List.of(
                StoreChannels.APPEND.serve(vertx.eventBus(), publisher::append, publisher::publish),
                serve(StoreChannels.RESTORE, asked -> store.restore(asked.history(), asked.receipts())),
                history(),
                runs(),
                outbox()));
    }

    private Future<?> history() {
        return Future.all(List.of(
                serve(
                        StoreChannels.READ_EVENTS,
                        asked -> store.events(asked.runId(), asked.since(), asked.limit())
                                .map(StoreAnswers.Events::new)),
                serve(StoreChannels.SELECT_EVENTS, query -> store.events(query).map(StoreAnswers.Events::new)),
                serve(
                        StoreChannels.READ_FEED,
                        asked -> store.eventsAfter(asked.position(), asked.limit())
                                .map(StoreAnswers.Events::new)),
                serve(StoreChannels.LAST_POSITION, asked -> store.lastPosition().map(StoreAnswers.Position::new)),
                serve(StoreChannels.READY, asked -> store.ready().map(EventStoreVerticle::kept)),
                serve(StoreChannels.LOAD, asked -> store.load(asked.runId()).map(StoreAnswers.Restored::new)),
                serve(
                        StoreChannels.LOAD_AT,
                        asked -> store.loadAt(asked.runId(), asked.sequence()).map(StoreAnswers.Restored::new))));
    }

    private Future<?> runs() {
        return Future.all(List.of(
                serve(StoreChannels.FIND, asked -> store.find(asked.runId()).map(StoreAnswers.Run::new)),
                serve(StoreChannels.RUNS_AT, asked -> store.runsAt(asked.selection(), asked.position())),
                serve(StoreChannels.LIST, store::list),
                serve(
                        StoreChannels.RUN_OF_KEY,
                        asked -> store.runOfKey(asked.idempotencyKey()).map(StoreAnswers.Owner::new)),
                serve(
                        StoreChannels.ADD_RECEIPT,
                        asked ->
                                store.addReceipt(asked.runId(), asked.receipt()).map(EventStoreVerticle::kept)),
                serve(
                        StoreChannels.ADD_SNAPSHOT,
                        asked -> store.addSnapshot(asked.runId(), asked.sequence(), asked.state())
                                .map(EventStoreVerticle::kept)),
                serve(
                        StoreChannels.RECEIPTS,
                        asked -> store.receipts(asked.runId()).map(StoreAnswers.Receipts::new)),
                serve(StoreChannels.DELETE, asked -> store.delete(asked.runId()).map(StoreAnswers.Deleted::new)),
                serve(
                        StoreChannels.PRUNABLE,
                        asked -> store.prunable(asked.before(), asked.keep()).map(StoreAnswers.Runs::new))));
    }

    private Future<?> outbox() {
        return Future.all(List.of(
                serve(StoreChannels.OUTBOX, asked -> store.outbox().map(StoreAnswers.Outbox::new)),
                serve(
                        StoreChannels.BEGIN_OUTBOX,
                        start -> store.beginOutbox(start).map(EventStoreVerticle::kept)),
                serve(
                        StoreChannels.OWE,
                        asked -> store.owe(asked.position(), asked.owed()).map(StoreAnswers.Owed::new)),
                serve(
                        StoreChannels.TRIED,
                        asked -> store.tried(asked.after(), asked.givenUp()).map(EventStoreVerticle::kept)),
                serve(
                        StoreChannels.GIVEN_UP,
                        asked -> store.givenUp(asked.runId()).map(StoreAnswers.Abandoned::new))));
    }

    private <Q, A> Future<Void> serve(RequestChannel<Q, A> channel, Function<Q, Future<A>> work) {
        return channel.serve(vertx.eventBus(), work);
    }

    private static StoreAnswers.Kept kept(Void carriedOut) {
        return new StoreAnswers.Kept();
    }
}
