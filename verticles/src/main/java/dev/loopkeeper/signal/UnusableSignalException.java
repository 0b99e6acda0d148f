package dev.loopkeeper.signal;

/** The declared place cannot hold a signal; the message says why and where. */
final class UnusableSignalException extends RuntimeException {
    UnusableSignalException(String message) {
        super(message);
    }
}
