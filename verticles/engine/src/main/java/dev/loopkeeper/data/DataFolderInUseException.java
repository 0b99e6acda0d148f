package dev.loopkeeper.data;

import java.nio.file.Path;

/** Reports that another process owns the data folder. Nothing of the folder was changed. */
public final class DataFolderInUseException extends RuntimeException {
    private final long pid;
    private final transient Path path;

    /** Names the owner and what it owns. */
    public DataFolderInUseException(long pid, Path path) {
        super(path + " is in use by " + (pid == 0 ? "a process that is just starting" : "process " + pid)
                + ". Use that one, stop it, or name another folder with --data.");
        this.pid = pid;
        this.path = path;
    }

    /** The owner's process id; 0 when it has not written it yet. */
    public long pid() {
        return pid;
    }

    /** The data folder. */
    public Path path() {
        return path;
    }
}
