package dev.loopkeeper.store;

import java.time.Instant;

/** What the checkpoint writer is asked beside {@link AppendEvents} and {@link RunQuery}. */
public final class StoreQuestions {
    private StoreQuestions() {}

    /** Events of one run after {@code since}, at most {@code limit}. Answered by {@link StoreAnswers.Events}. */
    public record EventsOf(String runId, long since, int limit) {}

    /** Events of all runs after a position, at most {@code limit}. Answered by {@link StoreAnswers.Events}. */
    public record EventsAfter(long position, int limit) {}

    /** Where the newest event is. Answered by {@link StoreAnswers.Position}. */
    public record LastPosition() {}

    /** What lists show of one run. Answered by {@link StoreAnswers.Run}. */
    public record FindRun(String runId) {}

    /** Everything of one run. Answered by {@link StoreAnswers.Restored}. */
    public record LoadRun(String runId) {}

    /** Which run was created under this key. Answered by {@link StoreAnswers.Owner}. */
    public record RunOfKey(String idempotencyKey) {}

    /** Command: keep a stop receipt, as JSON text. Answered by {@link StoreAnswers.Kept}. */
    public record AddReceipt(String runId, String receipt) {}

    /** The stop receipts of one run. Answered by {@link StoreAnswers.Receipts}. */
    public record ReceiptsOf(String runId) {}

    /**
     * Command: remove ended runs, see {@link EventStore#prunable}. Answered by {@link PrunedRuns}.
     *
     * @param dryRun only tell which
     */
    public record Prune(Instant before, int keep, boolean dryRun) {}
}
