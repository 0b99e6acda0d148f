package dev.loopkeeper.store;

import java.util.List;
import java.util.Optional;

/** What the event store answers over the bus; see {@link StoreQuestions}. */
public final class StoreAnswers {
    private StoreAnswers() {}

    /** Oldest first; empty for an unknown run and at the end. */
    public record Events(List<PositionedEvent> events) {}

    /** Of the newest event; 0 when there is none. */
    public record Position(long position) {}

    /** Empty when unknown. */
    public record Run(Optional<RunRow> row) {}

    /** Empty when unknown. */
    public record Restored(Optional<StoredRun> run) {}

    /** Empty when the key has created no run. */
    public record Owner(Optional<String> runId) {}

    /** The command was carried out, or the store is ready. */
    public record Kept() {}

    /** JSON texts, oldest first. */
    public record Receipts(List<String> receipts) {}

    /** Whether the run was there and had ended. */
    public record Deleted(boolean deleted) {}

    /** Oldest first. */
    public record Runs(List<RunRow> rows) {}

    /** Empty until the outbox has begun. */
    public record Outbox(Optional<OutboxState> state) {}

    /** The cursors as they are now. */
    public record Owed(List<OutboxCursor> cursors) {}

    /** Oldest first. */
    public record Abandoned(List<GivenUp> deliveries) {}
}
