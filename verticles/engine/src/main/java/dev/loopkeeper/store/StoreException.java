package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** The store cannot be read or written; the message says where and what to do. */
public class StoreException extends RuntimeException implements CodedFailure {
    /** Failure code on the event bus. */
    public static final int CODE = 507;

    /** The cause may be null. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
