package dev.loopkeeper.scheduler;

/** A stop came while a step was made ready: it is not launched. */
final class StoppedBeforeLaunchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedBeforeLaunchException() {
        super("it was to stop before it was launched");
    }
}
