package dev.loopkeeper.scheduler;

import dev.loopkeeper.checkpoint.CheckpointJson;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.data.CheckpointProjection;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.AppendEvents;
import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns decisions into durable events, and durable events into states. */
final class RunJournal {
    private static final long EPOCH = 1;
    private static final long SNAPSHOT_EVERY = 200;

    private final EventStore store;
    private final CheckpointProjection projection;

    RunJournal(EventStore store, CheckpointProjection projection) {
        this.store = store;
        this.projection = projection;
    }

    /** Completes once the decision's events are durable. {@code before} is the last durable sequence. */
    Future<Appended> append(long before, Decision decision, Instant at, Optional<String> idempotencyKey) {
        RunState after = decision.state();
        AppendEvents append = new AppendEvents(
                after.runId(),
                before,
                EPOCH,
                stored(after, before, decision.events(), at),
                RunRow.of(after),
                snapshot(before, after),
                idempotencyKey);
        return store.append(append).onSuccess(durable -> project(after));
    }

    private static List<StoredEvent> stored(RunState after, long before, List<RunEvent> events, Instant at) {
        List<StoredEvent> stored = new ArrayList<>();
        long sequence = before;
        for (RunEvent event : events) {
            sequence++;
            stored.add(new StoredEvent(
                    after.runId(), sequence, at, EventTypes.of(event), after.execution(), EventJson.write(event)));
        }
        return stored;
    }

    private static Optional<String> snapshot(long before, RunState after) {
        boolean due = before / SNAPSHOT_EVERY != after.sequence() / SNAPSHOT_EVERY;
        return due ? Optional.of(StateJson.write(after)) : Optional.empty();
    }

    private void project(RunState after) {
        boolean rests = after.condition() instanceof Condition.Paused || after.condition() instanceof Condition.Ended;
        // The projection never fails: what it cannot write it logs and tries again.
        projection
                .update(after.runId(), () -> CheckpointJson.of(after).toPrettyString(), rests)
                .onFailure(unexpected -> {
                    throw new IllegalStateException("a projection must not fail its run", unexpected);
                });
    }

    /** The run is removed: its projection is not written any more. */
    void forget(String runId) {
        projection.forget(runId);
    }

    /** The run's state from its newest snapshot and the events after it; empty when it is unknown. */
    Future<Optional<RunState>> load(String runId) {
        return store.load(runId).map(found -> found.map(StoredRun::state));
    }
}
