package dev.loopkeeper.store;

import dev.loopkeeper.bus.EventChannel;
import dev.loopkeeper.bus.RequestChannel;

/** Where the checkpoint writer is asked, and where it publishes what became durable. */
public final class StoreChannels {
    /**
     * Make events durable. Refusals keep their code: {@link StaleAppendException#CODE}, {@link KeyTakenException#CODE},
     * {@link StoreException#CODE}. The events are published in the order of their positions after the answer is sent.
     */
    public static final RequestChannel<AppendEvents, Appended> APPEND =
            new RequestChannel<>("loopkeeper.checkpoints.append", AppendEvents.class, Appended.class);
    /** Events of one run. */
    public static final RequestChannel<StoreQuestions.EventsOf, StoreAnswers.Events> READ_EVENTS = new RequestChannel<>(
            "loopkeeper.checkpoints.events", StoreQuestions.EventsOf.class, StoreAnswers.Events.class);
    /** Events of all runs. */
    public static final RequestChannel<StoreQuestions.EventsAfter, StoreAnswers.Events> READ_FEED =
            new RequestChannel<>(
                    "loopkeeper.checkpoints.events-after", StoreQuestions.EventsAfter.class, StoreAnswers.Events.class);
    /** Where the newest event is. */
    public static final RequestChannel<StoreQuestions.LastPosition, StoreAnswers.Position> LAST_POSITION =
            new RequestChannel<>(
                    "loopkeeper.checkpoints.last-position",
                    StoreQuestions.LastPosition.class,
                    StoreAnswers.Position.class);
    /** What lists show of one run. */
    public static final RequestChannel<StoreQuestions.FindRun, StoreAnswers.Run> FIND =
            new RequestChannel<>("loopkeeper.checkpoints.find", StoreQuestions.FindRun.class, StoreAnswers.Run.class);
    /** Everything of one run. */
    public static final RequestChannel<StoreQuestions.LoadRun, StoreAnswers.Restored> LOAD = new RequestChannel<>(
            "loopkeeper.checkpoints.load", StoreQuestions.LoadRun.class, StoreAnswers.Restored.class);
    /** Which run an idempotency key has created. */
    public static final RequestChannel<StoreQuestions.RunOfKey, StoreAnswers.Owner> RUN_OF_KEY = new RequestChannel<>(
            "loopkeeper.checkpoints.run-of-key", StoreQuestions.RunOfKey.class, StoreAnswers.Owner.class);
    /** Keep a stop receipt. */
    public static final RequestChannel<StoreQuestions.AddReceipt, StoreAnswers.Kept> ADD_RECEIPT = new RequestChannel<>(
            "loopkeeper.checkpoints.add-receipt", StoreQuestions.AddReceipt.class, StoreAnswers.Kept.class);
    /** The stop receipts of one run. */
    public static final RequestChannel<StoreQuestions.ReceiptsOf, StoreAnswers.Receipts> RECEIPTS =
            new RequestChannel<>(
                    "loopkeeper.checkpoints.receipts", StoreQuestions.ReceiptsOf.class, StoreAnswers.Receipts.class);
    /** Remove ended runs and their folders. */
    public static final RequestChannel<StoreQuestions.Prune, PrunedRuns> PRUNE =
            new RequestChannel<>("loopkeeper.checkpoints.prune", StoreQuestions.Prune.class, PrunedRuns.class);
    /** Runs are gone from the store, and their folders are about to go. */
    public static final EventChannel<RunsRemoved> REMOVED =
            new EventChannel<>("loopkeeper.checkpoints.removed", RunsRemoved.class);
    /** Runs, newest first. */
    public static final RequestChannel<RunQuery, RunPage> LIST =
            new RequestChannel<>("loopkeeper.checkpoints.list", RunQuery.class, RunPage.class);
    /** Every durable event. */
    public static final EventChannel<PositionedEvent> EVENTS =
            new EventChannel<>("loopkeeper.events", PositionedEvent.class);
    /** How long each append took. */
    public static final EventChannel<AppendTimed> SYNCED =
            new EventChannel<>("loopkeeper.checkpoints.synced", AppendTimed.class);

    private StoreChannels() {}

    /** Durable events of one type, e.g. {@code loopkeeper.events.run.ended}. */
    public static EventChannel<PositionedEvent> eventsOf(String type) {
        return new EventChannel<>(EVENTS.address() + "." + type, PositionedEvent.class);
    }
}
