package dev.loopkeeper.checkpoint;

/** Reports an unreadable record of a run. Nothing is changed, and the run stays as it is. */
public final class CheckpointException extends RuntimeException {
    /**
     * @param message what is unreadable, and the remedy
     */
    public CheckpointException(String message) {
        super(message);
    }
}
