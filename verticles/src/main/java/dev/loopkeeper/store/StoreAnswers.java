package dev.loopkeeper.store;

import java.util.List;
import java.util.Optional;

/** What the checkpoint writer answers; see {@link StoreQuestions}. */
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

    /** The receipt is durable. */
    public record Kept() {}

    /** JSON texts, oldest first. */
    public record Receipts(List<String> receipts) {}
}
