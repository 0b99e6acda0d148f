package dev.loopkeeper.process;

import dev.loopkeeper.contract.CodedFailure;
import dev.loopkeeper.step.ErrorKind;
import java.util.Optional;

/** A step that could not be launched; the message says what to fix. */
final class LaunchException extends CodedFailure {
    private final Optional<ErrorKind> errorKind;

    LaunchException(String message) {
        this(message, null, Optional.empty());
    }

    LaunchException(String message, Throwable cause, Optional<ErrorKind> errorKind) {
        super(422, message, cause);
        this.errorKind = errorKind;
    }

    /** Returns the kind of the failure, unless the agent is at fault. */
    Optional<ErrorKind> errorKind() {
        return errorKind;
    }
}
