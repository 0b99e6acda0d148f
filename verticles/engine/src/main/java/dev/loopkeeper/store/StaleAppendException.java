package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** Another owner has written to this run: its sequence or epoch has changed. Nothing was written. */
public final class StaleAppendException extends CodedFailure {
    /** Failure code on the event bus. */
    public static final int CODE = 409;

    private final String runId;

    /** Names the run and its actual sequence. */
    public StaleAppendException(String runId, long expectedSequence, long actualSequence) {
        this(runId, "run " + runId + " is at sequence " + actualSequence + ", not " + expectedSequence);
    }

    private StaleAppendException(String runId, String message) {
        super(CODE, message, null);
        this.runId = runId;
    }

    /** An owner with a higher epoch has written. */
    public static StaleAppendException fenced(String runId, long epoch, long actualEpoch) {
        return new StaleAppendException(runId, "run " + runId + " is owned at epoch " + actualEpoch + ", not " + epoch);
    }

    /** Returns the run whose append was refused. */
    public String runId() {
        return runId;
    }
}
