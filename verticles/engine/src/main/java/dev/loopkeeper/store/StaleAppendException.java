package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** Somebody else has written to this run: its sequence or its owner's epoch has moved on. Nothing was written. */
public final class StaleAppendException extends RuntimeException implements CodedFailure {
    /** How askers over the bus recognise it. */
    public static final int CODE = 409;

    private final String runId;
    private final long actualSequence;

    /** Names the run and where it really is. */
    public StaleAppendException(String runId, long expectedSequence, long actualSequence) {
        super("run " + runId + " is at sequence " + actualSequence + ", not " + expectedSequence);
        this.runId = runId;
        this.actualSequence = actualSequence;
    }

    private StaleAppendException(String runId, String message, long actualSequence) {
        super(message);
        this.runId = runId;
        this.actualSequence = actualSequence;
    }

    /** An owner with a higher epoch has written. */
    public static StaleAppendException fenced(String runId, long epoch, long actualEpoch, long actualSequence) {
        String message = "run " + runId + " is owned at epoch " + actualEpoch + ", not " + epoch;
        return new StaleAppendException(runId, message, actualSequence);
    }

    /** Whose append was refused. */
    public String runId() {
        return runId;
    }

    /** The last sequence that is durable. */
    public long actualSequence() {
        return actualSequence;
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
