package dev.loopkeeper.contract;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The disk of what was to be written is full, its owner's quota is used up, this process has as many files open as it
 * may, or the machine has no process or memory to give: nobody's work failed, it had no room.
 */
public final class ResourceExhaustedException extends RuntimeException implements CodedFailure {
    private static final int CODE = 507;

    private static final String DISK = "make room on that disk";
    private static final String MACHINE = "let this user have more processes (ulimit -u, TasksMax) or memory";

    /** What the system says, in the language of programs, and the remedy. */
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

    /** The message names what was to be written, and the remedy. */
    public ResourceExhaustedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same where want of room is what it comes down to. */
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

    private static Optional<String> remedy(String said) {
        return REMEDIES.entrySet().stream()
                .filter(known -> said != null && said.contains(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
