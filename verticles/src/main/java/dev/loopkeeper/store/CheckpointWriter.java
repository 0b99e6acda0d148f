package dev.loopkeeper.store;

import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;

/** Answers for the {@link EventStore} on the event bus, and publishes what became durable. On one context. */
final class CheckpointWriter {
    private final EventBus bus;
    private final EventStore store;

    CheckpointWriter(EventBus bus, EventStore store) {
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

    Future<StoreAnswers.Events> events(StoreQuestions.EventsOf question) {
        return store.events(question.runId(), question.since(), question.limit())
                .map(StoreAnswers.Events::new);
    }

    Future<StoreAnswers.Events> eventsAfter(StoreQuestions.EventsAfter question) {
        return store.eventsAfter(question.position(), question.limit()).map(StoreAnswers.Events::new);
    }

    Future<StoreAnswers.Position> lastPosition(StoreQuestions.LastPosition question) {
        return store.lastPosition().map(StoreAnswers.Position::new);
    }

    Future<StoreAnswers.Run> find(StoreQuestions.FindRun question) {
        return store.find(question.runId()).map(StoreAnswers.Run::new);
    }

    Future<StoreAnswers.Restored> load(StoreQuestions.LoadRun question) {
        return store.load(question.runId()).map(StoreAnswers.Restored::new);
    }

    Future<StoreAnswers.Owner> runOfKey(StoreQuestions.RunOfKey question) {
        return store.runOfKey(question.idempotencyKey()).map(StoreAnswers.Owner::new);
    }

    Future<StoreAnswers.Kept> addReceipt(StoreQuestions.AddReceipt question) {
        return store.addReceipt(question.runId(), question.receipt()).map(kept -> new StoreAnswers.Kept());
    }

    Future<StoreAnswers.Receipts> receipts(StoreQuestions.ReceiptsOf question) {
        return store.receipts(question.runId()).map(StoreAnswers.Receipts::new);
    }
}
