package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.run.RunState;
import java.util.List;
import java.util.Optional;

/**
 * All data to restore a run.
 *
 * @param snapshot newest stored state
 * @param snapshotSequence last event in it; 0 without a snapshot
 * @param events events after the snapshot, in order
 */
public record StoredRun(RunRow row, Optional<String> snapshot, long snapshotSequence, List<StoredEvent> events) {
    /** Limit of events in memory: a long run without an intact snapshot would exceed the heap. */
    public static final int MOST_BYTES = 2 << 20;

    /** Returns the sequence of the last known event. */
    public long sequence() {
        return snapshotSequence + events.size();
    }

    /** Adds events after those held so far, which are replayed into the snapshot. */
    public StoredRun followedBy(List<StoredEvent> next) {
        return events.isEmpty() || next.isEmpty()
                ? new StoredRun(row, snapshot, snapshotSequence, events.isEmpty() ? next : events)
                : new StoredRun(row, Optional.of(StateJson.write(state())), sequence(), next);
    }

    /**
     * Returns the state after the last event. Fails with {@link dev.loopkeeper.checkpoint.CheckpointException} if the
     * events are not the history of a run.
     */
    public RunState state() {
        return after(snapshot.map(StateJson::read).orElse(null), events);
    }

    /** Applies events to a state; null: to a run that they create. Fails as {@link #state} does. */
    public static RunState after(RunState before, List<StoredEvent> events) {
        RunState state = before;
        for (StoredEvent event : events) {
            state = state == null
                    ? RunHistory.begin(event.type(), event.data(), event.at())
                    : RunHistory.next(state, event.type(), event.data(), event.at());
        }
        return state;
    }
}
