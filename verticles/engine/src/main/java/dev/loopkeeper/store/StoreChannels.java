package dev.loopkeeper.store;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;

/**
 * The event store on the bus: where {@link EventStoreVerticle} is asked, which {@link BusEventStore} does for those who
 * need the port, and where it publishes what became durable. Failures keep their codes:
 * {@link StaleAppendException#CODE}, {@link KeyTakenException#CODE}, {@link StoreException#CODE},
 * {@link StoreAwayException#CODE}.
 */
public final class StoreChannels {
    /** Make events durable. They are published in the order of their positions after the answer is sent. */
    public static final RequestChannel<AppendEvents, Appended> APPEND =
            verb("append", AppendEvents.class, Appended.class);
    /** Events of one run. */
    public static final RequestChannel<StoreQuestions.EventsOf, StoreAnswers.Events> READ_EVENTS =
            verb("events", StoreQuestions.EventsOf.class, StoreAnswers.Events.class);
    /** Some events of one run. */
    public static final RequestChannel<EventQuery, StoreAnswers.Events> SELECT_EVENTS =
            verb("select-events", EventQuery.class, StoreAnswers.Events.class);
    /** Events of all runs. */
    public static final RequestChannel<StoreQuestions.EventsAfter, StoreAnswers.Events> READ_FEED =
            verb("events-after", StoreQuestions.EventsAfter.class, StoreAnswers.Events.class);
    /** Where the newest event is. */
    public static final RequestChannel<StoreQuestions.LastPosition, StoreAnswers.Position> LAST_POSITION =
            verb("last-position", StoreQuestions.LastPosition.class, StoreAnswers.Position.class);
    /** Whether it can be read and written. */
    public static final RequestChannel<StoreQuestions.Ready, StoreAnswers.Kept> READY =
            verb("ready", StoreQuestions.Ready.class, StoreAnswers.Kept.class);
    /** What lists show of one run. */
    public static final RequestChannel<StoreQuestions.FindRun, StoreAnswers.Run> FIND =
            verb("find", StoreQuestions.FindRun.class, StoreAnswers.Run.class);
    /** Everything of one run. */
    public static final RequestChannel<StoreQuestions.LoadRun, StoreAnswers.Restored> LOAD =
            verb("load", StoreQuestions.LoadRun.class, StoreAnswers.Restored.class);
    /** One run as it stood after one of its events. */
    public static final RequestChannel<StoreQuestions.LoadRunAt, StoreAnswers.Restored> LOAD_AT =
            verb("load-at", StoreQuestions.LoadRunAt.class, StoreAnswers.Restored.class);
    /** Runs at one instant. */
    public static final RequestChannel<StoreQuestions.RunsOf, RunsAt> RUNS_AT =
            verb("runs-at", StoreQuestions.RunsOf.class, RunsAt.class);
    /** Runs, newest first. */
    public static final RequestChannel<RunQuery, RunPage> LIST = verb("list", RunQuery.class, RunPage.class);
    /** Which run an idempotency key has created. */
    public static final RequestChannel<StoreQuestions.RunOfKey, StoreAnswers.Owner> RUN_OF_KEY =
            verb("run-of-key", StoreQuestions.RunOfKey.class, StoreAnswers.Owner.class);
    /** Keep a stop receipt. */
    public static final RequestChannel<StoreQuestions.AddReceipt, StoreAnswers.Kept> ADD_RECEIPT =
            verb("add-receipt", StoreQuestions.AddReceipt.class, StoreAnswers.Kept.class);
    /** Keep a snapshot. */
    public static final RequestChannel<StoreQuestions.AddSnapshot, StoreAnswers.Kept> ADD_SNAPSHOT =
            verb("add-snapshot", StoreQuestions.AddSnapshot.class, StoreAnswers.Kept.class);
    /** The stop receipts of one run. */
    public static final RequestChannel<StoreQuestions.ReceiptsOf, StoreAnswers.Receipts> RECEIPTS =
            verb("receipts", StoreQuestions.ReceiptsOf.class, StoreAnswers.Receipts.class);
    /** Remove an ended run from the store alone. */
    public static final RequestChannel<StoreQuestions.Delete, StoreAnswers.Deleted> DELETE =
            verb("delete", StoreQuestions.Delete.class, StoreAnswers.Deleted.class);
    /** Which ended runs are old enough to be removed. */
    public static final RequestChannel<StoreQuestions.Prunable, StoreAnswers.Runs> PRUNABLE =
            verb("prunable", StoreQuestions.Prunable.class, StoreAnswers.Runs.class);
    /** Put in a run that another store had. */
    public static final RequestChannel<StoreQuestions.Restore, Appended> RESTORE =
            verb("restore", StoreQuestions.Restore.class, Appended.class);
    /** What targets of notifications are owed. */
    public static final RequestChannel<StoreQuestions.Outbox, StoreAnswers.Outbox> OUTBOX =
            verb("outbox", StoreQuestions.Outbox.class, StoreAnswers.Outbox.class);
    /** The outbox begins. */
    public static final RequestChannel<OutboxState, StoreAnswers.Kept> BEGIN_OUTBOX =
            verb("begin-outbox", OutboxState.class, StoreAnswers.Kept.class);
    /** More is owed. */
    public static final RequestChannel<StoreQuestions.Owe, StoreAnswers.Owed> OWE =
            verb("owe", StoreQuestions.Owe.class, StoreAnswers.Owed.class);
    /** What is owed was tried. */
    public static final RequestChannel<StoreQuestions.Tried, StoreAnswers.Kept> TRIED =
            verb("tried", StoreQuestions.Tried.class, StoreAnswers.Kept.class);
    /** Which deliveries of one run were given up. */
    public static final RequestChannel<StoreQuestions.GivenUpOf, StoreAnswers.Abandoned> GIVEN_UP =
            verb("given-up", StoreQuestions.GivenUpOf.class, StoreAnswers.Abandoned.class);
    /** Remove ended runs and their folders. */
    public static final RequestChannel<StoreQuestions.Prune, PrunedRuns> PRUNE =
            verb("prune", StoreQuestions.Prune.class, PrunedRuns.class);
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
