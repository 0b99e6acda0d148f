package dev.loopkeeper.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the event store is asked over the bus beside {@link AppendEvents}, {@link EventQuery}, {@link RunQuery} and
 * {@link OutboxState}; see
 * {@link EventStore} for what each means and {@link StoreChannels} for its answer.
 */
public final class StoreQuestions {
    private StoreQuestions() {}

    /** Events of one run after {@code since}, at most {@code limit}. */
    public record EventsOf(String runId, long since, int limit) {}

    /** Events of all runs after a position, at most {@code limit}. */
    public record EventsAfter(long position, int limit) {}

    /** Where the newest event is. */
    public record LastPosition() {}

    /** Whether the store can be read and written. */
    public record Ready() {}

    /** What lists show of one run. */
    public record FindRun(String runId) {}

    /** Everything of one run. */
    public record LoadRun(String runId) {}

    /** One run as it stood after one of its events. */
    public record LoadRunAt(String runId, long sequence) {}

    /** Runs and the newest position, both of one instant. */
    public record RunsOf(RunSelection selection, Optional<Long> position) {}

    /** Which run was created under this key. */
    public record RunOfKey(String idempotencyKey) {}

    /** Command: keep a stop receipt, as JSON text. */
    public record AddReceipt(String runId, String receipt) {}

    /** Command: keep the state of a run as it was after this event, as JSON text. */
    public record AddSnapshot(String runId, long sequence, String state) {}

    /** The stop receipts of one run. */
    public record ReceiptsOf(String runId) {}

    /** Command: remove an ended run. */
    public record Delete(String runId) {}

    /** Which ended runs are old enough to be removed. */
    public record Prunable(Instant before, int keep) {}

    /** Command: put in a run that another store had. */
    public record Restore(AppendEvents history, List<String> receipts) {}

    /** What targets of notifications are owed. */
    public record Outbox() {}

    /** Command: these events are owed. */
    public record Owe(long position, List<OutboxCursor> owed) {}

    /** Command: this is what a try has led to. */
    public record Tried(OutboxCursor after, Optional<GivenUp> givenUp) {}

    /** Which deliveries of one run were given up. */
    public record GivenUpOf(String runId) {}

    /**
     * Command: remove ended runs and their folders, see {@link EventStore#prunable}. Answered by {@link PrunedRuns}.
     *
     * @param dryRun only tell which
     */
    public record Prune(Instant before, int keep, boolean dryRun) {}
}
