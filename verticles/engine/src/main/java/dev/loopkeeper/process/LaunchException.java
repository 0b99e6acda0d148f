package dev.loopkeeper.process;

import dev.loopkeeper.contract.CodedFailure;
import dev.loopkeeper.step.ErrorKind;
import java.util.Optional;

/** A step that could not be launched; the message tells a person what to fix. */
final class LaunchException extends RuntimeException implements CodedFailure {
    private final Optional<ErrorKind> trouble;

    LaunchException(String message) {
        this(message, null);
    }

    LaunchException(String message, Throwable cause) {
        this(message, cause, Optional.empty());
    }

    LaunchException(String message, Throwable cause, Optional<ErrorKind> trouble) {
        super(message, cause);
        this.trouble = trouble;
    }

    /** What is to be put right, where that is no fault of the agent's. */
    Optional<ErrorKind> trouble() {
        return trouble;
    }

    @Override
    public int failureCode() {
        return 422;
    }
}
