package dev.loopkeeper.store;

import dev.loopkeeper.contract.RequestChannel;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The store that {@link EventStoreVerticle} serves, by the channels of {@link StoreChannels}. */
public final class BusEventStore implements EventStore {
    /** Longer than any sync; a store that is slower counts as away. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventBus bus;
    private final Duration patience;

    /** Waits for each answer as long as any sync may take. */
    public BusEventStore(EventBus bus) {
        this(bus, PATIENCE);
    }

    /** Waits for each answer this long; then fails with {@link StoreAwayException}. */
    public BusEventStore(EventBus bus, Duration patience) {
        this.bus = bus;
        this.patience = patience;
    }

    private <Q, A> Future<A> ask(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(bus, question, patience)
                .recover(cause -> Future.failedFuture(cause instanceof ReplyException reply ? of(reply) : cause));
    }

    /** A failure of the bus, or a flaw on the other side, which was logged there. */
    private static StoreException of(ReplyException reply) {
        return reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                ? new StoreException(reply.getMessage(), reply)
                : new StoreAwayException(reply.getMessage(), reply);
    }

    @Override
    public Future<Appended> append(AppendEvents append) {
        return ask(StoreChannels.APPEND, append);
    }

    @Override
    public Future<List<PositionedEvent>> events(String runId, long since, int limit) {
        return ask(StoreChannels.READ_EVENTS, new StoreQuestions.EventsOf(runId, since, limit))
                .map(StoreAnswers.Events::events);
    }

    @Override
    public Future<List<PositionedEvent>> events(EventQuery query) {
        return ask(StoreChannels.SELECT_EVENTS, query).map(StoreAnswers.Events::events);
    }

    @Override
    public Future<List<PositionedEvent>> eventsAfter(long position, int limit) {
        return ask(StoreChannels.READ_FEED, new StoreQuestions.EventsAfter(position, limit))
                .map(StoreAnswers.Events::events);
    }

    @Override
    public Future<Long> lastPosition() {
        return ask(StoreChannels.LAST_POSITION, new StoreQuestions.LastPosition())
                .map(StoreAnswers.Position::position);
    }

    @Override
    public Future<Void> ready() {
        return ask(StoreChannels.READY, new StoreQuestions.Ready()).mapEmpty();
    }

    @Override
    public Future<Optional<StoredRun>> load(String runId) {
        return ask(StoreChannels.LOAD, new StoreQuestions.LoadRun(runId)).map(StoreAnswers.Restored::run);
    }

    @Override
    public Future<Optional<RunRow>> find(String runId) {
        return ask(StoreChannels.FIND, new StoreQuestions.FindRun(runId)).map(StoreAnswers.Run::row);
    }

    @Override
    public Future<Optional<StoredRun>> loadAt(String runId, long sequence) {
        return ask(StoreChannels.LOAD_AT, new StoreQuestions.LoadRunAt(runId, sequence))
                .map(StoreAnswers.Restored::run);
    }

    @Override
    public Future<RunsAt> runsAt(RunSelection selection, Optional<Long> position) {
        return ask(StoreChannels.RUNS_AT, new StoreQuestions.RunsOf(selection, position));
    }

    @Override
    public Future<RunPage> list(RunQuery query) {
        return ask(StoreChannels.LIST, query);
    }

    @Override
    public Future<Optional<String>> runOfKey(String idempotencyKey) {
        return ask(StoreChannels.RUN_OF_KEY, new StoreQuestions.RunOfKey(idempotencyKey))
                .map(StoreAnswers.Owner::runId);
    }

    @Override
    public Future<Void> addReceipt(String runId, String receipt) {
        return ask(StoreChannels.ADD_RECEIPT, new StoreQuestions.AddReceipt(runId, receipt))
                .mapEmpty();
    }

    @Override
    public Future<Void> addSnapshot(String runId, long sequence, String state) {
        return ask(StoreChannels.ADD_SNAPSHOT, new StoreQuestions.AddSnapshot(runId, sequence, state))
                .mapEmpty();
    }

    @Override
    public Future<List<String>> receipts(String runId) {
        return ask(StoreChannels.RECEIPTS, new StoreQuestions.ReceiptsOf(runId)).map(StoreAnswers.Receipts::receipts);
    }

    @Override
    public Future<Boolean> delete(String runId) {
        return ask(StoreChannels.DELETE, new StoreQuestions.Delete(runId)).map(StoreAnswers.Deleted::deleted);
    }

    @Override
    public Future<List<RunRow>> prunable(Instant before, int keep) {
        return ask(StoreChannels.PRUNABLE, new StoreQuestions.Prunable(before, keep))
                .map(StoreAnswers.Runs::rows);
    }

    @Override
    public Future<Appended> restore(AppendEvents history, List<String> receipts) {
        return ask(StoreChannels.RESTORE, new StoreQuestions.Restore(history, receipts));
    }

    @Override
    public Future<Optional<OutboxState>> outbox() {
        return ask(StoreChannels.OUTBOX, new StoreQuestions.Outbox()).map(StoreAnswers.Outbox::state);
    }

    @Override
    public Future<Void> beginOutbox(OutboxState start) {
        return ask(StoreChannels.BEGIN_OUTBOX, start).mapEmpty();
    }

    @Override
    public Future<List<OutboxCursor>> owe(long position, List<OutboxCursor> owed) {
        return ask(StoreChannels.OWE, new StoreQuestions.Owe(position, owed)).map(StoreAnswers.Owed::cursors);
    }

    @Override
    public Future<Void> tried(OutboxCursor after, Optional<GivenUp> givenUp) {
        return ask(StoreChannels.TRIED, new StoreQuestions.Tried(after, givenUp))
                .mapEmpty();
    }

    @Override
    public Future<List<GivenUp>> givenUp(String runId) {
        return ask(StoreChannels.GIVEN_UP, new StoreQuestions.GivenUpOf(runId)).map(StoreAnswers.Abandoned::deliveries);
    }
}
