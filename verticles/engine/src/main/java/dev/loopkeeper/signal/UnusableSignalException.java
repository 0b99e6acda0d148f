package dev.loopkeeper.signal;

import dev.loopkeeper.contract.CodedFailure;

/** The declared place cannot hold a signal; the message says why and where. */
final class UnusableSignalException extends RuntimeException implements CodedFailure {
    UnusableSignalException(String message) {
        super(message);
    }

    UnusableSignalException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public int failureCode() {
        return 422;
    }
}
