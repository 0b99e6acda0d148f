package dev.loopkeeper.store;

import java.time.Instant;

/**
 * Command: remove ended runs and their folders, see {@link EventStore#prunable}. Answered by {@link PrunedRuns}.
 *
 * @param dryRun only list them
 * @param force also those whose worktrees hold work that exists nowhere else
 */
public record PruneRuns(Instant before, int keep, boolean dryRun, boolean force) {}
