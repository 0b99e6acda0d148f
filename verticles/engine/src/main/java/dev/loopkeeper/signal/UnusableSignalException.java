package dev.loopkeeper.signal;

import dev.loopkeeper.contract.CodedFailure;

/** The declared place cannot hold a signal; the message says why and where. */
final class UnusableSignalException extends CodedFailure {
    UnusableSignalException(String message) {
        this(message, null);
    }

    UnusableSignalException(String message, Throwable cause) {
        super(422, message, cause);
    }
}
