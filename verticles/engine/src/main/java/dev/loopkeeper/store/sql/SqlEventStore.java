package dev.loopkeeper.store.sql;

import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.pool.PoolState;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.EventStore.RunsAt;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxState;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredRun;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Base of stores in a database: shared queries and outbox. How they append differs. */
public abstract class SqlEventStore implements OpenStore {
    /** Executes queries in one snapshot. */
    protected abstract <T> Future<T> inSnapshot(Function<StoreConnection, Future<T>> queries);

    /** Executes a single query; by default in a snapshot. */
    protected <T> Future<T> alone(Function<StoreConnection, Future<T>> query) {
        return inSnapshot(query);
    }

    /** Executes changes in one transaction. */
    protected abstract <T> Future<T> inWrite(Function<StoreConnection, Future<T>> changes);

    /** Changes the outbox in one transaction. */
    protected <T> Future<T> inOutbox(Function<StoreConnection, Future<T>> changes) {
        return inWrite(changes);
    }

    private <T> Future<T> one(Function<StoreQueries, Future<T>> query) {
        return alone(connection -> query.apply(new StoreQueries(connection)));
    }

    private <T> Future<T> several(Function<StoreQueries, Future<T>> queries) {
        return inSnapshot(connection -> queries.apply(new StoreQueries(connection)));
    }

    @Override
    public Future<List<PositionedEvent>> events(EventQuery query) {
        return one(queries -> queries.events(query));
    }

    @Override
    public Future<List<PositionedEvent>> eventsAfter(long position, int limit) {
        return one(queries -> queries.eventsAfter(position, limit));
    }

    @Override
    public Future<Set<String>> endedAfter(long position) {
        return one(queries -> queries.endedAfter(position));
    }

    @Override
    public Future<Long> lastPosition() {
        return one(StoreQueries::lastPosition);
    }

    @Override
    public Future<Optional<StoredRun>> load(String runId) {
        return several(queries -> queries.load(runId));
    }

    @Override
    public Future<Optional<RunRow>> find(String runId) {
        return one(queries -> queries.find(runId));
    }

    @Override
    public Future<Optional<StoredRun>> loadAt(String runId, long sequence) {
        return several(queries -> queries.loadAt(runId, sequence));
    }

    @Override
    public Future<RunsAt> runsAt(RunSelection selection, Optional<Long> position) {
        return several(queries -> queries.runsAt(selection, position));
    }

    @Override
    public Future<RunPage> list(RunQuery query) {
        return one(queries -> queries.list(query));
    }

    @Override
    public Future<Optional<String>> runOfKey(String idempotencyKey) {
        return one(queries -> queries.runOfKey(idempotencyKey));
    }

    @Override
    public Future<List<StoredReceipt>> receipts(String runId, long after) {
        return one(queries -> queries.receipts(runId, after));
    }

    @Override
    public Future<RunPage> prunable(Instant before, int keep, Optional<String> cursor, int limit) {
        return one(queries -> queries.endedBefore(before, keep, cursor, limit));
    }

    @Override
    public Future<Optional<OutboxState>> outbox() {
        return inSnapshot(connection -> new OutboxQueries(connection).state());
    }

    @Override
    public Future<Void> beginOutbox(OutboxState start) {
        return inOutbox(connection -> new OutboxQueries(connection).begin(start));
    }

    @Override
    public Future<List<OutboxCursor>> addPending(long position, List<OutboxCursor> pending) {
        return inOutbox(connection -> new OutboxQueries(connection).addPending(position, pending));
    }

    @Override
    public Future<Void> tried(OutboxCursor after) {
        return inOutbox(connection -> new OutboxQueries(connection).tried(after));
    }

    @Override
    public Future<Optional<String>> answerKey(Optional<String> fresh) {
        return fresh.isPresent()
                ? inOutbox(connection -> new OutboxQueries(connection).answerKey(fresh))
                : alone(connection -> new OutboxQueries(connection).answerKey(fresh));
    }

    @Override
    public Future<Optional<StoredPolicy>> policyOtherThan(long version) {
        return alone(connection -> new PolicyQueries(connection).otherThan(version));
    }

    @Override
    public Future<Optional<StoredPolicy>> putPolicy(String json, OptionalLong expected) {
        return inWrite(connection -> new PolicyQueries(connection).put(json, expected));
    }

    @Override
    public Future<List<UsageSum>> usage(Window.Span window, long after) {
        return alone(connection -> new UsageQueries(connection).in(window, after));
    }

    @Override
    public Future<Void> forgetUsage(Instant before) {
        return inWrite(connection -> new UsageQueries(connection).forget(before));
    }

    @Override
    public Future<Map<String, PoolState>> pools() {
        return alone(connection -> new PoolQueries(connection).all());
    }

    @Override
    public Future<PoolState> changePool(String name, List<PoolInput> inputs, OptionalInt places) {
        return inNode(connection ->
                new PoolQueries(connection).change(name, inputs, places, claimed -> goneAmong(connection, claimed)));
    }

    /** Executes changes in one transaction, of a live node only. */
    protected <T> Future<T> inNode(Function<StoreConnection, Future<T>> changes) {
        return inWrite(changes);
    }

    /** Returns those of these runs whose agents are certainly gone. */
    protected abstract Future<List<String>> goneAmong(StoreConnection connection, Set<String> runIds);

    @Override
    public Future<Fire> addFire(Fire fire) {
        return inWrite(connection -> new FireQueries(connection).add(fire));
    }

    @Override
    public Future<Fire> changeFire(Fire fire) {
        return inWrite(connection -> new FireQueries(connection).change(fire));
    }

    @Override
    public Future<List<Fire>> fires(String schedule, int limit) {
        return alone(connection -> new FireQueries(connection).newest(schedule, limit));
    }

    @Override
    public Future<Optional<Fire>> newestTried(String schedule) {
        return alone(connection -> new FireQueries(connection).newestTried(schedule));
    }

    @Override
    public Future<List<Fire>> openFires() {
        return alone(connection -> new FireQueries(connection).open());
    }

    @Override
    public Future<List<Fire>> unsentFires() {
        return alone(connection -> new FireQueries(connection).unsent());
    }

    @Override
    public Future<Void> sentFire(Fire fire) {
        return inWrite(connection -> new FireQueries(connection).sent(fire));
    }

    @Override
    public Future<List<Fire>> newestTimes() {
        return alone(connection -> new FireQueries(connection).newestTimes());
    }
}
