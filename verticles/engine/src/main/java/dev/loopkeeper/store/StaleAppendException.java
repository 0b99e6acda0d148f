package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** Another owner has written to this run: its sequence or epoch has changed. Nothing was written. */
public final class StaleAppendException extends RuntimeException implements CodedFailure {
    /** Failure code on the event bus. */
    public static final int CODE = 409;

    private final String runId;
    private final long actualSequence;

    /** Names the run and its actual sequence. */
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

    /** Returns the run whose append was refused. */
    public String runId() {
        return runId;
    }

    /** Returns the last durable sequence. */
    public long actualSequence() {
        return actualSequence;
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
