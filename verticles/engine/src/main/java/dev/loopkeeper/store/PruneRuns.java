package dev.loopkeeper.store;

import java.time.Instant;
import java.util.Optional;

/**
 * Command: remove ended runs and their folders, see {@link EventStore#prunable}. Answered by {@link PrunedRuns}.
 *
 * @param cursor {@link PrunedRuns#nextCursor} of the answer before; absent for the oldest runs
 * @param dryRun only list them
 * @param force also remove runs with unsaved work in their worktrees
 */
public record PruneRuns(Instant before, int keep, Optional<String> cursor, boolean dryRun, boolean force) {}
