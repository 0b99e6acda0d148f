package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** The store cannot be read or written; the message says where and what to do. */
public class StoreException extends CodedFailure {
    /** Failure code on the event bus. */
    public static final int CODE = 507;

    private final boolean damagedRecord;

    /** The cause may be null. */
    public StoreException(String message, Throwable cause) {
        this(CODE, message, cause, false);
    }

    /** A failure with a code of its own. */
    StoreException(int code, String message, Throwable cause) {
        this(code, message, cause, false);
    }

    private StoreException(int code, String message, Throwable cause, boolean damagedRecord) {
        super(code, message, cause);
        this.damagedRecord = damagedRecord;
    }

    /** Returns the failure for a damaged record. Clients see the message: its place and the remedy, no content. */
    public static StoreException ofDamagedRecord(String message) {
        return new StoreException(CODE, message, null, true);
    }

    /** Returns whether a record is damaged, while the store itself can be read. */
    public boolean isOfDamagedRecord() {
        return damagedRecord;
    }
}
