package dev.loopkeeper.scheduler;

import dev.loopkeeper.checkpoint.CheckpointJson;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.data.CheckpointProjection;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import dev.loopkeeper.view.Owner;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores decisions as events, and loads runs from their events. */
final class RunJournal {
    private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);
    /** Size from which a value is large, in characters. */
    private static final int LARGE = 64 << 10;

    private final EventStore store;
    private final Function<AppendEvents, Future<Appended>> writer;
    private final Ownership ownership;
    private final CheckpointProjection projection;
    private final WorkerExecutor workers;
    /** Runs whose snapshot is being written. */
    private final Set<String> snapshots = new HashSet<>();

    private final SnapshotPace pace = new SnapshotPace();

    /**
     * @param writer appends the events and publishes them
     * @param workers write snapshots and large events, and restore runs
     */
    RunJournal(
            EventStore store,
            Function<AppendEvents, Future<Appended>> writer,
            Ownership ownership,
            CheckpointProjection projection,
            WorkerExecutor workers) {
        this.store = store;
        this.writer = writer;
        this.ownership = ownership;
        this.projection = projection;
        this.workers = workers;
    }

    /** Whether this process owns the run. */
    boolean isOwn(String runId) {
        return ownership.isOwn(runId);
    }

    /** Gives up ownership of the run. */
    void release(String runId) {
        ownership.release(runId);
    }

    /** Returns the owner of the run, for views. */
    Optional<Owner> owner(String runId) {
        return ownership.owner(runId);
    }

    /** Appends the decision's events; completes once they are durable. {@code before} is the last durable sequence. */
    Future<Appended> append(long before, Decision decision, Instant at, Optional<String> idempotencyKey) {
        return append(before, decision, at, idempotencyKey, Optional.empty());
    }

    /** Appends a decision on the last durable state. */
    Future<Appended> append(RunState durable, Decision decision, Instant at) {
        return append(durable.sequence(), decision, at, Optional.empty(), Optional.of(durable));
    }

    private Future<Appended> append(
            long before, Decision decision, Instant at, Optional<String> idempotencyKey, Optional<RunState> durable) {
        RunState after = decision.state();
        long epoch = ownership.epoch(after.runId());
        Supplier<AppendEvents> append = () -> new AppendEvents(
                after.runId(),
                before,
                epoch,
                stored(before, decision, at),
                RunRow.of(after),
                Optional.empty(),
                idempotencyKey,
                new ReportedUsage.Reader(durable).read(decision.events(), at));
        long term = ownership.term();
        return made(decision, append).compose(writer).onSuccess(appended -> {
            if (before == 0) {
                ownership.created(after.runId(), term);
            }
            project(after);
            snapshot(before, after);
        });
    }

    /**
     * Builds the append; on a worker where an event is large, since writing a megabyte of JSON would block the event
     * loop.
     */
    private Future<AppendEvents> made(Decision decision, Supplier<AppendEvents> append) {
        boolean large = decision.events().stream().anyMatch(RunJournal::isLarge);
        return large ? workers.executeBlocking(append::get, false) : Future.succeededFuture(append.get());
    }

    private static boolean isLarge(RunEvent event) {
        if (event instanceof RunCreated created) {
            return Json.isLarge(created.manifest(), LARGE);
        }
        if (event instanceof RunResumed resumed) {
            return isLarge(resumed.request());
        }
        if (event instanceof RunQueued queued) {
            return isLarge(queued.request());
        }
        return event instanceof StepFinished finished
                && Stream.of(finished.result().signal(), finished.result().deliverable())
                        .flatMap(Optional::stream)
                        .anyMatch(value -> Json.isLarge(value, LARGE));
    }

    private static boolean isLarge(ResumeRequest request) {
        return request.changedManifest()
                .filter(changed -> Json.isLarge(changed.manifest(), LARGE))
                .isPresent();
    }

    private static List<StoredEvent> stored(long before, Decision decision, Instant at) {
        RunState after = decision.state();
        List<StoredEvent> stored = new ArrayList<>();
        for (RunEvent event : decision.events()) {
            long sequence = before + stored.size() + 1;
            stored.add(new StoredEvent(
                    after.runId(), sequence, at, EventTypes.of(event), after.execution(), EventJson.write(event)));
        }
        return stored;
    }

    /** Writes a snapshot when one is due. The run does not wait for it; without it, loading reads more events. */
    private void snapshot(long before, RunState after) {
        if (after.condition() instanceof Condition.Ended) {
            pace.forget(after.runId());
        }
        if (pace.isDue(after.runId(), before, after.sequence()) && snapshots.add(after.runId())) {
            workers.executeBlocking(() -> StateJson.write(after), false)
                    .compose(state -> {
                        // An ended run gets no further snapshot.
                        if (!(after.condition() instanceof Condition.Ended)) {
                            pace.made(after.runId(), state.length());
                        }
                        return store.addSnapshot(after.runId(), after.sequence(), state);
                    })
                    .onComplete(over -> snapshots.remove(after.runId()))
                    .onFailure(cause -> LOG.debug("run {}: no snapshot is kept: {}", after.runId(), cause.toString()));
        }
    }

    /** Updates the projection in the run's folder. */
    void project(RunState after) {
        boolean rests = after.condition() instanceof Condition.Paused || after.condition() instanceof Condition.Ended;
        // The projection logs and retries failed writes; any other failure must not fail the run.
        Future.succeededFuture()
                .compose(begun -> projection.update(
                        after.runId(),
                        () -> CheckpointJson.of(after, Instants.now()).toPrettyString(),
                        rests))
                .onFailure(broken -> LOG.error("run {}: its checkpoint.json is not written", after.runId(), broken));
    }

    /** Forgets a removed run; its projection is no longer written. */
    void forget(String runId) {
        projection.forget(runId);
        pace.forget(runId);
    }

    /** Loads the run's state from its newest snapshot and later events; empty when it is unknown. */
    Future<Optional<RunState>> load(String runId) {
        return store.load(runId).compose(found -> workers.executeBlocking(() -> found.map(StoredRun::state), false));
    }
}
