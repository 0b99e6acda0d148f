package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** Another run was created under the same idempotency key. Nothing was written. */
public final class KeyTakenException extends RuntimeException implements CodedFailure {
    /** How askers over the bus recognise it. */
    public static final int CODE = 412;

    private final String runId;

    /** Names the run that was created first. */
    public KeyTakenException(String idempotencyKey, String runId) {
        super("idempotency key " + idempotencyKey + " has created run " + runId);
        this.runId = runId;
    }

    /** The run that was created under the key. */
    public String runId() {
        return runId;
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
