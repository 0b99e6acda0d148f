package dev.loopkeeper.store;

/** Somebody else has written to this run: its sequence or its owner's epoch has moved on. Nothing was written. */
public final class StaleAppendException extends RuntimeException {
    private final String runId;
    private final long actualSequence;

    /** Names the run and where it really is. */
    public StaleAppendException(String runId, long expectedSequence, long actualSequence) {
        super("run " + runId + " is at sequence " + actualSequence + ", not " + expectedSequence);
        this.runId = runId;
        this.actualSequence = actualSequence;
    }

    /** Whose append was refused. */
    public String runId() {
        return runId;
    }

    /** The last sequence that is durable. */
    public long actualSequence() {
        return actualSequence;
    }
}
