package dev.loopkeeper.store;

import java.nio.file.Path;

/** The store cannot be read or written; the message names the file and the remedy. */
public final class StoreException extends RuntimeException {
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
}
