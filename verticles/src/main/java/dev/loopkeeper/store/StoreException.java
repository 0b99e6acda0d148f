package dev.loopkeeper.store;

import dev.loopkeeper.bus.CodedFailure;
import java.nio.file.Path;

/** The store cannot be read or written; the message names the file and the remedy. */
public final class StoreException extends RuntimeException implements CodedFailure {
    /** How askers over the bus recognise it. */
    public static final int CODE = 507;

    private final transient Path path;

    /** Names the file that is in trouble. */
    public StoreException(Path path, String message, Throwable cause) {
        super(message, cause);
        this.path = path;
    }

    /** The file or folder in trouble. */
    public Path path() {
        return path;
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
