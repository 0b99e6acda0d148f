package dev.loopkeeper.store;

import java.time.Instant;

/**
 * Command: remove ended runs and their folders, see {@link EventStore#prunable}. Answered by {@link PrunedRuns}.
 *
 * @param dryRun only list them
 */
public record PruneRuns(Instant before, int keep, boolean dryRun) {}
