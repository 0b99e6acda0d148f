package dev.loopkeeper.process;

/** A step that could not be launched; the message tells a person what to mend. */
final class LaunchException extends RuntimeException {
    LaunchException(String message) {
        super(message);
    }

    LaunchException(String message, Throwable cause) {
        super(message, cause);
    }
}
