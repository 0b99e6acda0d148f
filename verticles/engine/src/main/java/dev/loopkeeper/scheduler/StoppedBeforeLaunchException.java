package dev.loopkeeper.scheduler;

/** A stop was requested before the step was launched, so it is not launched. */
final class StoppedBeforeLaunchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedBeforeLaunchException() {
        super("the step was stopped before its launch");
    }
}
