package dev.loopkeeper.checkpoint;

/** A run's record cannot be understood; nothing is changed and the run is left alone. */
public final class CheckpointException extends RuntimeException {
    /** Says what cannot be read, and what may be done. */
    public CheckpointException(String message) {
        super(message);
    }
}
