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
