package dev.loopkeeper.store;

import java.util.List;
import java.util.Optional;

/**
 * All that is needed to restore one run.
 *
 * @param snapshot the newest state that was kept, as it was given
 * @param snapshotSequence the last event that it contains; 0 without a snapshot
 * @param events those after the snapshot, in order
 */
public record StoredRun(RunRow row, Optional<String> snapshot, long snapshotSequence, List<StoredEvent> events) {}
