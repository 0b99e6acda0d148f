package dev.loopkeeper.store;

/** A stored record is damaged; the message has only its place and the remedy, so clients may see it. */
public final class DamagedRecordException extends StoreException {
    public DamagedRecordException(String message) {
        super(message, null);
    }
}
