package dev.loopkeeper.store;

import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.run.RunState;
import java.util.List;
import java.util.Optional;

/**
 * All that is needed to restore one run.
 *
 * @param snapshot the newest state that was kept, as it was given
 * @param snapshotSequence the last event that it contains; 0 without a snapshot
 * @param events those after the snapshot, in order
 */
public record StoredRun(RunRow row, Optional<String> snapshot, long snapshotSequence, List<StoredEvent> events) {
    /** Of the events that are held at once; a long run without a sound snapshot has more than memory holds. */
    public static final int MOST_BYTES = 2 << 20;

    /** The last event that is known. */
    public long sequence() {
        return snapshotSequence + events.size();
    }

    /** With these events behind those held so far, which become its snapshot. */
    public StoredRun followedBy(List<StoredEvent> next) {
        return events.isEmpty() || next.isEmpty()
                ? new StoredRun(row, snapshot, snapshotSequence, events.isEmpty() ? next : events)
                : new StoredRun(row, Optional.of(StateJson.write(state())), sequence(), next);
    }

    /**
     * The run after the last of these events. Fails with {@link dev.loopkeeper.checkpoint.CheckpointException} when
     * they are not the history of a run.
     */
    public RunState state() {
        RunState state;
        int next = 0;
        if (snapshot.isPresent()) {
            state = StateJson.read(snapshot.get());
        } else {
            StoredEvent first = events.get(next++);
            state = RunHistory.begin(first.type(), first.data(), first.at());
        }
        for (StoredEvent event : events.subList(next, events.size())) {
            state = RunHistory.next(state, event.type(), event.data(), event.at());
        }
        return state;
    }
}
