package dev.loopkeeper.contract;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The machine lacks a resource: disk space or quota, file descriptors, processes or memory. The request itself was
 * correct.
 */
public final class ResourceExhaustedException extends CodedFailure {
    private static final int CODE = 507;

    private static final String DISK = "free disk space for this folder";
    private static final String MACHINE = "raise this user's limit of processes (ulimit -u, TasksMax) or free memory";

    /** System messages, which are in English in any locale, and remedies. */
    private static final Map<String, String> REMEDIES = Map.of(
            "No space left on device",
            DISK,
            "Disk quota exceeded",
            DISK,
            "Too many open files",
            "raise the limit of open files (ulimit -n) of Loopkeeper",
            "Resource temporarily unavailable",
            MACHINE,
            "Cannot allocate memory",
            MACHINE,
            "unable to create native thread",
            MACHINE);

    /** The message says what was to be written, and the remedy. */
    public ResourceExhaustedException(String message, Throwable cause) {
        super(CODE, message, cause);
    }

    /** Returns the exhausted resource among the causes of a failure, if any. */
    public static Optional<ResourceExhaustedException> in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ResourceExhaustedException known) {
                return Optional.of(known);
            }
            Optional<String> remedy = cause instanceof IOException || cause instanceof OutOfMemoryError
                    ? remedy(cause.getMessage())
                    : Optional.empty();
            if (remedy.isPresent()) {
                return Optional.of(new ResourceExhaustedException(cause.getMessage() + "; " + remedy.get(), failure));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> remedy(String message) {
        return REMEDIES.entrySet().stream()
                .filter(known -> message != null && message.contains(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
