package dev.loopkeeper.store;

/** The store did not answer in time, or nobody answers for it. What it was asked may become durable all the same. */
public final class StoreUnavailableException extends StoreException {
    /** How askers over the bus recognise it. */
    public static final int CODE = 503;

    /** The cause may be null. */
    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
