package dev.loopkeeper.bundle;

/** A run that cannot be exported, or a bundle that cannot be imported; the message says why. Nothing was changed. */
public final class BundleException extends RuntimeException {
    public BundleException(String message) {
        super(message);
    }

    BundleException(String message, Throwable cause) {
        super(message, cause);
    }
}
