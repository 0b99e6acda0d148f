package dev.loopkeeper.store;

/** The store did not answer in time, or nothing serves it. The request may take effect all the same. */
public final class StoreUnavailableException extends StoreException {
    /** Failure code on the event bus. */
    public static final int CODE = 503;

    /** The cause may be null. */
    public StoreUnavailableException(String message, Throwable cause) {
        super(CODE, message, cause);
    }
}
