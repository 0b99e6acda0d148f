package dev.loopkeeper.gateway;

import dev.loopkeeper.store.AppendEvents;
import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.GivenUp;
import dev.loopkeeper.store.OutboxCursor;
import dev.loopkeeper.store.OutboxState;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunPage;
import dev.loopkeeper.store.RunQuery;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.RunSelection;
import dev.loopkeeper.store.RunsAt;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A store in memory that publishes as the real one does: after an event is kept, in the order of positions. */
final class MemoryStore implements EventStore {
    private final Vertx vertx;
    private final List<PositionedEvent> events = new ArrayList<>();
    private final Map<String, RunRow> rows = new LinkedHashMap<>();
    private final Map<String, List<String>> receipts = new LinkedHashMap<>();
    private boolean broken;

    MemoryStore(Vertx vertx) {
        this.vertx = vertx;
    }

    /** From now on nothing can be read. */
    synchronized void breakDown() {
        broken = true;
    }

    synchronized List<PositionedEvent> all() {
        return List.copyOf(events);
    }

    synchronized void put(RunRow row) {
        rows.put(row.runId(), row);
    }

    @Override
    public synchronized Future<Appended> append(AppendEvents append) {
        append.events().forEach(event -> {
            PositionedEvent positioned = new PositionedEvent(nextPosition(), event);
            events.add(positioned);
            rows.put(append.runId(), append.row());
            StoreChannels.EVENTS.publish(vertx.eventBus(), positioned);
        });
        return answer(new Appended(last()));
    }

    /** With holes, as the real store may have. */
    private long nextPosition() {
        return last() + 1 + events.size() % 3;
    }

    private long last() {
        return events.isEmpty() ? 0 : events.get(events.size() - 1).position();
    }

    @Override
    public synchronized Future<List<PositionedEvent>> events(String runId, long since, int limit) {
        return answer(events.stream()
                .filter(event ->
                        event.event().runId().equals(runId) && event.event().sequence() > since)
                .limit(limit)
                .toList());
    }

    @Override
    public synchronized Future<List<PositionedEvent>> eventsAfter(long position, int limit) {
        return answer(events.stream()
                .filter(event -> event.position() > position)
                .limit(limit)
                .toList());
    }

    @Override
    public synchronized Future<Long> lastPosition() {
        return answer(last());
    }

    @Override
    public Future<Void> ready() {
        return lastPosition().mapEmpty();
    }

    @Override
    public Future<Optional<StoredRun>> load(String runId) {
        return answer(Optional.empty());
    }

    @Override
    public synchronized Future<Optional<RunRow>> find(String runId) {
        return answer(Optional.ofNullable(rows.get(runId)));
    }

    @Override
    public Future<Optional<StoredRun>> loadAt(String runId, long sequence) {
        return answer(stored(runId, sequence));
    }

    private synchronized Optional<StoredRun> stored(String runId, long sequence) {
        List<StoredEvent> history = historyOf(runId)
                .map(PositionedEvent::event)
                .filter(event -> event.sequence() <= sequence)
                .toList();
        return history.size() < sequence
                ? Optional.empty()
                : Optional.of(new StoredRun(rows.get(runId), Optional.empty(), 0, history));
    }

    private Stream<PositionedEvent> historyOf(String runId) {
        return events.stream().filter(event -> event.event().runId().equals(runId));
    }

    @Override
    public synchronized Future<RunsAt> runsAt(RunSelection selection, Optional<Long> position) {
        Comparator<RunRow> newestFirst = Comparator.comparing(RunRow::createdAt).reversed();
        Set<String> newest = rows.values().stream()
                .sorted(newestFirst)
                .limit(selection.newest())
                .map(RunRow::runId)
                .collect(Collectors.toSet());
        return answer(new RunsAt(
                last(),
                rows.values().stream()
                        .filter(row -> selection.runIds().isEmpty()
                                ? selection.statuses().contains(row.status()) || newest.contains(row.runId())
                                : selection.runIds().contains(row.runId()))
                        .sorted(newestFirst)
                        .map(row -> runAt(row, position))
                        .filter(run -> run.sequence() > 0)
                        .toList()));
    }

    private RunsAt.RunAt runAt(RunRow row, Optional<Long> position) {
        long last = historyOf(row.runId()).count();
        long then = historyOf(row.runId())
                .filter(event -> event.position() <= position.orElse(Long.MAX_VALUE))
                .count();
        return new RunsAt.RunAt(row, then, then == last);
    }

    @Override
    public synchronized Future<RunPage> list(RunQuery query) {
        return answer(new RunPage(
                rows.values().stream()
                        .filter(row ->
                                query.statuses().isEmpty() || query.statuses().contains(row.status()))
                        .sorted(Comparator.comparing(RunRow::createdAt).reversed())
                        .limit(query.limit())
                        .toList(),
                Optional.empty()));
    }

    @Override
    public Future<Optional<String>> runOfKey(String idempotencyKey) {
        return answer(Optional.empty());
    }

    @Override
    public synchronized Future<Void> addReceipt(String runId, String receipt) {
        receipts.computeIfAbsent(runId, each -> new ArrayList<>()).add(receipt);
        return answer(null);
    }

    @Override
    public synchronized Future<List<String>> receipts(String runId) {
        return answer(List.copyOf(receipts.getOrDefault(runId, List.of())));
    }

    @Override
    public synchronized Future<Boolean> delete(String runId) {
        events.removeIf(positioned -> positioned.event().runId().equals(runId));
        return answer(rows.remove(runId) != null);
    }

    @Override
    public Future<List<RunRow>> prunable(Instant before, int keep) {
        return Future.failedFuture(new UnsupportedOperationException("the gateway never prunes by itself"));
    }

    @Override
    public Future<Appended> restore(AppendEvents history, List<String> kept) {
        return Future.failedFuture(new UnsupportedOperationException("the gateway never imports"));
    }

    @Override
    public Future<Optional<OutboxState>> outbox() {
        return nobodyIsNotified();
    }

    @Override
    public Future<Void> beginOutbox(OutboxState start) {
        return nobodyIsNotified();
    }

    @Override
    public Future<List<OutboxCursor>> owe(long position, List<OutboxCursor> owed) {
        return nobodyIsNotified();
    }

    @Override
    public Future<Void> tried(OutboxCursor after, Optional<GivenUp> givenUp) {
        return nobodyIsNotified();
    }

    @Override
    public Future<List<GivenUp>> givenUp(String runId) {
        return nobodyIsNotified();
    }

    private static <T> Future<T> nobodyIsNotified() {
        return Future.failedFuture(new UnsupportedOperationException("the gateway notifies nobody"));
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    /** On the caller's context and not at once, as a database answers. */
    private synchronized <T> Future<T> answer(T value) {
        if (broken) {
            return Future.failedFuture(new StoreException("the disk is gone", null));
        }
        Promise<T> promise = Promise.promise();
        vertx.getOrCreateContext().runOnContext(later -> promise.complete(value));
        return promise.future();
    }
}
