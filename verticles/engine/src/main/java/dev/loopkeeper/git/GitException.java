package dev.loopkeeper.git;

import java.io.IOException;

/** Reports that git could not be started or did not end in time. What it did until then is unknown. */
public final class GitException extends IOException {
    private final boolean late;

    GitException(String message, boolean late, Throwable cause) {
        super(message, cause);
        this.late = late;
    }

    /** Whether git was ended because it took too long; false if it could not be started. */
    public boolean isLate() {
        return late;
    }
}
