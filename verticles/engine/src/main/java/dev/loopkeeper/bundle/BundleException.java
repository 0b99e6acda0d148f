package dev.loopkeeper.bundle;

/**
 * Reports that a run cannot be exported or a bundle cannot be imported; the message gives the reason. Nothing was
 * changed.
 */
public final class BundleException extends RuntimeException {
    public BundleException(String message) {
        super(message);
    }

    BundleException(String message, Throwable cause) {
        super(message, cause);
    }
}
