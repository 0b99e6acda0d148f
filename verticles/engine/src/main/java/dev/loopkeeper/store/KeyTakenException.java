package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** Another run was created under the same idempotency key. Nothing was written. */
public final class KeyTakenException extends CodedFailure {
    /** Failure code on the event bus. */
    public static final int CODE = 412;

    private final String runId;

    /** Names the run that the key has created. */
    public KeyTakenException(String idempotencyKey, String runId) {
        super(CODE, "idempotency key " + idempotencyKey + " has created run " + runId, null);
        this.runId = runId;
    }

    /** Returns the run that the key has created. */
    public String runId() {
        return runId;
    }
}
