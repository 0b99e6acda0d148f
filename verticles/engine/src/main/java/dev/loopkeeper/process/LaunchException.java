package dev.loopkeeper.process;

import dev.loopkeeper.contract.CodedFailure;

/** A step that could not be launched; the message tells a person what to fix. */
final class LaunchException extends RuntimeException implements CodedFailure {
    LaunchException(String message) {
        super(message);
    }

    LaunchException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public int failureCode() {
        return 422;
    }
}
