package dev.loopkeeper.store;

/**
 * How far one target was told. The events that it is owed are those of its run after {@code sequence} and up to
 * {@code owed} that it asked for.
 *
 * @param sequence everything up to this event was delivered, given up or concerns others; 0 or more
 * @param owed the newest event that is to be delivered, or was
 * @param tries how often the next event that is owed has failed already
 */
public record OutboxCursor(OutboxTarget target, long sequence, long owed, int tries) {
    /** Whether something is still owed. */
    public boolean behind() {
        return owed > sequence;
    }
}
