package dev.loopkeeper.store;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RunChannels.RunCursor;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.By;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.pool.PoolClaim;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.pool.PoolState;
import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.EventStore.RunsAt;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.Outbox.OutboxState;
import dev.loopkeeper.store.Outbox.OutboxTarget;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The port by lists and maps, for tests of its users; it passes {@link EventStoreContract} as the others do. */
public class MemoryStore implements OpenStore {
    private static final Comparator<RunRow> OLDEST_FIRST =
            Comparator.comparing(RunRow::createdAt).thenComparing(RunRow::runId);

    private final Vertx vertx;
    private final List<PositionedEvent> events = new ArrayList<>();
    private final Map<String, Run> runs = new HashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final Map<String, List<String>> receipts = new HashMap<>();
    private final Map<OutboxTarget, OutboxCursor> outbox = new LinkedHashMap<>();
    private final List<Used> usage = new ArrayList<>();
    private final Set<Fire> sent = new HashSet<>();
    private Optional<String> answerKey = Optional.empty();
    private Optional<Long> readUpTo = Optional.empty();
    private Optional<RuntimeException> failing = Optional.empty();
    private long position;
    private final Map<List<String>, Fire> fires = new HashMap<>();
    private final Map<String, PoolState> pools = new HashMap<>();
    private StoredPolicy policy = StoredPolicy.NONE;

    private record Used(long position, RunRow row, ReportedUsage part) {}

    /** One run; its events are among those of all. */
    private static final class Run {
        private final TreeMap<Long, String> snapshots = new TreeMap<>();
        private RunRow row;
        private long epoch;
        private long sequence;
        private Instant updatedAt;
    }

    /** An empty one. */
    public MemoryStore(Vertx vertx) {
        this.vertx = vertx;
    }

    /** From now on every question fails so, until {@link #work}. */
    public synchronized void fail(RuntimeException failure) {
        failing = Optional.of(failure);
    }

    /** The failures are over. */
    public synchronized void work() {
        failing = Optional.empty();
    }

    /** Every event, oldest first. */
    public synchronized List<PositionedEvent> all() {
        return List.copyOf(events);
    }

    @Override
    public Future<Fire> addFire(Fire fire) {
        return answer(() -> {
            Fire there = fires.putIfAbsent(List.of(fire.schedule(), fire.key()), fire);
            List<Fire> same = firesOf(fire.schedule(), fire.by()::equals)
                    .skip(fire.by() == By.POLICY ? 1 : KEPT)
                    .filter(old -> !Outcome.OPEN.contains(old.outcome()))
                    .filter(old -> tried(old.schedule()).filter(old::equals).isEmpty())
                    .toList();
            fires.values().removeAll(same);
            return there == null ? fire : there;
        });
    }

    private Stream<Fire> firesOf(String schedule, Predicate<By> by) {
        return fires.values().stream()
                .filter(fire -> fire.schedule().equals(schedule) && by.test(fire.by()))
                .sorted(Comparator.comparing(Fire::at).reversed());
    }

    @Override
    public Future<Fire> changeFire(Fire fire) {
        return answer(() -> fires.compute(
                List.of(fire.schedule(), fire.key()),
                (key, there) -> there != null && Outcome.OPEN.contains(there.outcome()) ? fire : there));
    }

    @Override
    public Future<List<Fire>> fires(String schedule, int limit) {
        return answer(
                () -> firesOf(schedule, by -> by != By.POLICY).limit(limit).toList());
    }

    private Optional<Fire> tried(String schedule) {
        return firesOf(schedule, by -> by != By.POLICY)
                .filter(fire -> fire.outcome() == Outcome.STARTED || fire.outcome() == Outcome.FAILED)
                .findFirst();
    }

    @Override
    public Future<Optional<Fire>> newestTried(String schedule) {
        return answer(() -> tried(schedule));
    }

    @Override
    public Future<List<Fire>> openFires() {
        return answer(() -> fires.values().stream()
                .filter(fire -> Outcome.OPEN.contains(fire.outcome()))
                .sorted(Comparator.comparing(Fire::at))
                .toList());
    }

    @Override
    public Future<List<Fire>> unsentFires() {
        return answer(() -> fires.values().stream()
                .filter(fire -> fire.outcome() == Outcome.FAILED && !sent.contains(fire))
                .sorted(Comparator.comparing(Fire::at))
                .toList());
    }

    @Override
    public Future<Void> sentFire(Fire fire) {
        return answer(() -> {
            sent.add(fire);
            return null;
        });
    }

    @Override
    public Future<List<Fire>> newestTimes() {
        return answer(() -> fires.values().stream()
                .map(Fire::schedule)
                .distinct()
                .flatMap(schedule -> Stream.of(By.CRON, By.POLICY)
                        .flatMap(source -> firesOf(schedule, source::equals).limit(1)))
                .toList());
    }

    @Override
    public Future<Optional<StoredPolicy>> policyOtherThan(long version) {
        return answer(() -> Optional.of(policy).filter(known -> known.version() != version));
    }

    @Override
    public Future<Optional<StoredPolicy>> putPolicy(String json, OptionalLong expected) {
        return answer(() -> {
            if (expected.isPresent() && expected.getAsLong() != policy.version()) {
                return Optional.empty();
            }
            policy = policy.replacedBy(json);
            return Optional.of(policy);
        });
    }

    @Override
    public Future<List<UsageSum>> usage(Window.Span window, long after) {
        return answer(() -> usage.stream()
                .filter(used -> used.position() > after
                        && !used.part().at().isBefore(window.start())
                        && used.part().at().isBefore(window.end()))
                .map(used -> new UsageSum(
                        used.row().name(),
                        used.row().workspace(),
                        used.position(),
                        used.part().costNanoUsd(),
                        used.part().estimatedNanoUsd(),
                        used.part().tokens(),
                        used.part().unknownSteps()))
                .toList());
    }

    @Override
    public Future<Void> forgetUsage(Instant before) {
        return answer(() -> {
            usage.removeIf(used -> used.part().at().isBefore(before));
            return null;
        });
    }

    @Override
    public Future<Map<String, PoolState>> pools() {
        return answer(() -> Map.copyOf(pools));
    }

    @Override
    public Future<PoolState> changePool(String name, List<PoolInput> inputs, OptionalInt places) {
        return answer(() -> {
            PoolState state = pools.getOrDefault(name, PoolState.EMPTY);
            for (PoolClaim claim : List.copyOf(state.claims().values())) {
                Run run = runs.get(claim.runId());
                if (run == null || !RunStatus.ACTIVE.contains(run.row.status())) {
                    state = state.after(new PoolInput.Left(inputs.get(0).at(), claim.runId()), places);
                }
            }
            for (PoolInput input : inputs) {
                state = state.after(input, places);
            }
            pools.put(name, state);
            pools.values().removeIf(PoolState.EMPTY::equals);
            return state;
        });
    }

    @Override
    public Future<Appended> append(AppendEvents append) {
        return answer(() -> write(append));
    }

    private Appended write(AppendEvents append) {
        Optional<Run> known = Optional.ofNullable(runs.get(append.runId()));
        long sequence = known.map(run -> run.sequence).orElse(0L);
        long epoch = known.map(run -> run.epoch).orElse(0L);
        if (epoch > append.epoch()) {
            throw StaleAppendException.fenced(append.runId(), append.epoch(), epoch);
        }
        if (sequence != append.expectedSequence()) {
            throw new StaleAppendException(append.runId(), append.expectedSequence(), sequence);
        }
        append.idempotencyKey().ifPresent(key -> take(key, append.runId()));
        // With holes between appends, as a database may have.
        position += runs.size() % 3;
        append.events().forEach(event -> events.add(new PositionedEvent(++position, event)));
        append.used().ifPresent(part -> usage.add(new Used(position, append.row(), part)));
        Run run = runs.computeIfAbsent(append.runId(), created -> new Run());
        run.row = append.row();
        run.epoch = append.epoch();
        run.sequence = sequence + append.events().size();
        run.updatedAt = append.events().get(append.events().size() - 1).at();
        append.snapshot().ifPresent(state -> run.snapshots.put(run.sequence, state));
        return new Appended(position);
    }

    private void take(String key, String runId) {
        String owner = keys.getOrDefault(key, runId);
        if (!owner.equals(runId)) {
            throw new KeyTakenException(key, owner);
        }
        keys.put(key, runId);
    }

    private static Predicate<RunRow> withinListBytes() {
        AtomicLong bytes = new AtomicLong();
        return row -> bytes.getAndAdd(row.view().toString().length()) < LIST_BYTES;
    }

    /** For one read, in its order. */
    private static Predicate<PositionedEvent> withinBytes() {
        AtomicLong bytes = new AtomicLong();
        return event -> bytes.getAndAdd(event.event().data().toString().length()) < READ_BYTES;
    }

    @Override
    public Future<List<PositionedEvent>> events(String runId, long since, int limit) {
        return answer(() -> history(runId)
                .filter(event -> event.event().sequence() > since)
                .limit(limit)
                .takeWhile(withinBytes())
                .toList());
    }

    @Override
    public Future<List<PositionedEvent>> events(EventQuery query) {
        return answer(() -> {
            List<PositionedEvent> found = new ArrayList<>(history(query.runId())
                    .filter(event -> isRequested(query, event.event()))
                    .toList());
            if (query.newestFirst()) {
                Collections.reverse(found);
            }
            return found.stream()
                    .limit(query.limit().orElse(found.size()))
                    .takeWhile(withinBytes())
                    .toList();
        });
    }

    private static boolean isRequested(EventQuery query, StoredEvent event) {
        return event.sequence() > query.after()
                && event.sequence() < query.before()
                && (query.types().isEmpty() || query.types().contains(event.type()))
                && (query.steps().isEmpty() || query.steps().contains(String.valueOf(event.stepId())));
    }

    private Stream<PositionedEvent> history(String runId) {
        return events.stream().filter(event -> event.event().runId().equals(runId));
    }

    @Override
    public Future<List<PositionedEvent>> eventsAfter(long after, int limit) {
        return answer(() -> events.stream()
                .filter(event -> event.position() > after)
                .limit(limit)
                .takeWhile(withinBytes())
                .toList());
    }

    @Override
    public Future<Set<String>> endedAfter(long after) {
        return answer(() -> events.stream()
                .filter(event -> event.position() > after)
                .filter(event -> event.event().type().equals("run.ended"))
                .map(event -> event.event().runId())
                .collect(Collectors.toSet()));
    }

    @Override
    public Future<Long> lastPosition() {
        return answer(() -> position);
    }

    @Override
    public Future<Void> ready() {
        return answer(() -> null);
    }

    @Override
    public Future<Optional<StoredRun>> load(String runId) {
        return answer(() -> Optional.ofNullable(runs.get(runId)).map(run -> at(run, run.sequence)));
    }

    @Override
    public Future<Optional<StoredRun>> loadAt(String runId, long sequence) {
        return answer(() -> Optional.ofNullable(runs.get(runId))
                .filter(run -> sequence >= 1 && sequence <= run.sequence)
                .map(run -> at(run, sequence)));
    }

    private StoredRun at(Run run, long sequence) {
        Optional<Map.Entry<Long, String>> snapshot = Optional.ofNullable(run.snapshots.floorEntry(sequence));
        long since = snapshot.map(Map.Entry::getKey).orElse(0L);
        List<StoredEvent> later = history(run.row.runId())
                .map(PositionedEvent::event)
                .filter(event -> event.sequence() > since && event.sequence() <= sequence)
                .toList();
        StoredRun read = new StoredRun(run.row, snapshot.map(Map.Entry::getValue), since, List.of());
        for (int from = 0, to = 0; from < later.size(); from = to) {
            for (int bytes = 0; to < later.size() && bytes < StoredRun.MOST_BYTES; to++) {
                bytes += later.get(to).data().toString().length();
            }
            read = read.followedBy(later.subList(from, to));
        }
        return read;
    }

    @Override
    public Future<Optional<RunRow>> find(String runId) {
        return answer(() -> Optional.ofNullable(runs.get(runId)).map(run -> run.row));
    }

    @Override
    public Future<RunsAt> runsAt(RunSelection selection, Optional<Long> then) {
        return answer(() -> {
            Set<String> newest = rows(row -> !selection.statuses().contains(row.status()))
                    .limit(selection.newest())
                    .takeWhile(withinListBytes())
                    .map(RunRow::runId)
                    .collect(Collectors.toSet());
            Predicate<RunRow> wanted = selection.runIds().isEmpty()
                    ? row -> selection.statuses().contains(row.status()) || newest.contains(row.runId())
                    : row -> selection.runIds().contains(row.runId());
            List<RunsAt.RunAt> found = rows(wanted)
                    .map(row -> at(row, then.orElse(position)))
                    .filter(run -> run.sequence() > 0)
                    .toList();
            return new RunsAt(position, found);
        });
    }

    private RunsAt.RunAt at(RunRow row, long then) {
        long sequence =
                history(row.runId()).filter(event -> event.position() <= then).count();
        return new RunsAt.RunAt(row, sequence, sequence == runs.get(row.runId()).sequence);
    }

    /** Newest first. */
    private Stream<RunRow> rows(Predicate<RunRow> wanted) {
        return runs.values().stream().map(run -> run.row).filter(wanted).sorted(OLDEST_FIRST.reversed());
    }

    @Override
    public Future<RunPage> list(RunQuery query) {
        return answer(() -> {
            Optional<RunCursor> last = query.cursor().map(RunCursor::parse);
            List<RunRow> rows = rows(row ->
                            query.statuses().isEmpty() || query.statuses().contains(row.status()))
                    .filter(row -> last.isEmpty() || isOlder(row, last.get()))
                    .filter(row -> row.runId().startsWith(query.prefix().orElse("")))
                    .filter(row -> has(row.runId(), query.text()) || has(row.name(), query.text()))
                    .toList();
            return page(rows, query.limit());
        });
    }

    private RunPage page(List<RunRow> rows, int limit) {
        List<RunRow> page =
                rows.stream().limit(limit).takeWhile(withinListBytes()).toList();
        Optional<String> next = Optional.of(page)
                .filter(shown -> shown.size() < rows.size())
                .map(shown -> shown.get(shown.size() - 1))
                .map(row -> new RunCursor(row.createdAt().toString(), row.runId()).text());
        return new RunPage(page, next);
    }

    private static boolean has(String text, Optional<String> asked) {
        return text.toLowerCase(Locale.ROOT).contains(asked.orElse("").toLowerCase(Locale.ROOT));
    }

    private static boolean isOlder(RunRow row, RunCursor last) {
        int order = row.createdAt().compareTo(Instant.parse(last.createdAt()));
        return order < 0 || (order == 0 && row.runId().compareTo(last.runId()) < 0);
    }

    private static boolean isNewer(RunRow row, RunCursor last) {
        return !isOlder(row, last) && !row.runId().equals(last.runId());
    }

    @Override
    public Future<Optional<String>> runOfKey(String idempotencyKey) {
        return answer(() -> Optional.ofNullable(keys.get(idempotencyKey)));
    }

    @Override
    public Future<Void> addReceipt(String runId, String receipt) {
        return answer(() -> {
            keep(runId, List.of(receipt));
            return null;
        });
    }

    @Override
    public Future<Void> addSnapshot(String runId, long sequence, String state) {
        return answer(() -> {
            Optional.ofNullable(runs.get(runId))
                    .filter(run -> run.sequence >= sequence)
                    .ifPresent(run -> run.snapshots.put(sequence, state));
            return null;
        });
    }

    @Override
    public Future<List<StoredReceipt>> receipts(String runId, long after) {
        return answer(() -> {
            List<String> all = receipts.getOrDefault(runId, List.of());
            List<StoredReceipt> read = new ArrayList<>();
            long bytes = 0;
            for (int index = (int) Math.min(after, all.size()); index < all.size() && bytes < READ_BYTES; index++) {
                read.add(new StoredReceipt(index + 1, all.get(index)));
                bytes += all.get(index).length();
            }
            return read;
        });
    }

    private void keep(String runId, List<String> more) {
        receipts.computeIfAbsent(runId, first -> new ArrayList<>()).addAll(more);
    }

    @Override
    public Future<Boolean> delete(String runId) {
        return answer(() -> {
            boolean ended = runs.containsKey(runId)
                    && RunStatus.ENDED.contains(runs.get(runId).row.status());
            if (ended) {
                runs.remove(runId);
                events.removeIf(event -> event.event().runId().equals(runId));
                receipts.remove(runId);
                keys.values().removeIf(runId::equals);
                outbox.values().removeIf(cursor -> cursor.target().runId().equals(runId) && !cursor.behind());
            }
            return ended;
        });
    }

    @Override
    public Future<RunPage> prunable(Instant before, int keep, Optional<String> cursor, int limit) {
        Optional<RunCursor> last = cursor.map(RunCursor::parse);
        return answer(() -> page(
                rows(row -> RunStatus.ENDED.contains(row.status()))
                        .skip(keep)
                        .filter(row -> runs.get(row.runId()).updatedAt.isBefore(before))
                        .sorted(OLDEST_FIRST)
                        .filter(row -> last.isEmpty() || isNewer(row, last.get()))
                        .toList(),
                limit));
    }

    @Override
    public Future<Appended> restore(AppendEvents history, List<String> kept) {
        return answer(() -> {
            Appended appended = write(history);
            keep(history.runId(), kept);
            return appended;
        });
    }

    @Override
    public Future<Optional<OutboxState>> outbox() {
        return answer(() ->
                readUpTo.map(position -> new OutboxState(position, cursors(outbox.values(), OutboxCursor::behind))));
    }

    private static List<OutboxCursor> cursors(Collection<OutboxCursor> all, Predicate<OutboxCursor> wanted) {
        return all.stream().filter(wanted).toList();
    }

    @Override
    public Future<Void> beginOutbox(OutboxState start) {
        return answer(() -> {
            if (readUpTo.isEmpty()) {
                readUpTo = Optional.of(start.position());
                start.pending().forEach(this::raise);
            }
            return null;
        });
    }

    @Override
    public Future<List<OutboxCursor>> addPending(long looked, List<OutboxCursor> pending) {
        return answer(() -> {
            readUpTo = Optional.of(looked);
            return pending.stream().map(this::raise).toList();
        });
    }

    @CanIgnoreReturnValue
    private OutboxCursor raise(OutboxCursor more) {
        OutboxCursor known = outbox.getOrDefault(more.target(), more);
        long pending = Math.max(known.newestPending(), more.newestPending());
        OutboxCursor raised = new OutboxCursor(more.target(), known.sequence(), pending, known.tries());
        outbox.put(more.target(), raised);
        return raised;
    }

    @Override
    public Future<Void> tried(OutboxCursor after) {
        return answer(() -> {
            if (!runs.containsKey(after.target().runId())) {
                outbox.remove(after.target());
                return null;
            }
            outbox.computeIfPresent(
                    after.target(),
                    (target, known) -> known.sequence() > after.sequence()
                            ? known
                            : new OutboxCursor(
                                    target,
                                    after.sequence(),
                                    Math.max(known.newestPending(), after.newestPending()),
                                    after.tries()));
            return null;
        });
    }

    @Override
    public Future<Optional<String>> answerKey(Optional<String> fresh) {
        return answer(() -> answerKey = answerKey.or(() -> fresh));
    }

    @Override
    public Future<Void> close() {
        fail(new StoreException("the store is closed", null));
        return Future.succeededFuture();
    }

    /** On the caller's context and not at once, as a database answers. */
    private synchronized <T> Future<T> answer(Supplier<T> work) {
        Promise<T> promise = Promise.promise();
        try {
            failing.ifPresent(failure -> {
                throw failure;
            });
            T value = work.get();
            vertx.getOrCreateContext().runOnContext(later -> promise.complete(value));
        } catch (RuntimeException refused) {
            vertx.getOrCreateContext().runOnContext(later -> promise.fail(refused));
        }
        return promise.future();
    }
}
