package dev.loopkeeper.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;

/**
 * Classifies failures of reading the machine's state. A failure of the machine, such as a missing file descriptor or a
 * disk that does not answer, says nothing about the state, so callers retry. Any other failure is a bug, which would
 * recur.
 */
public final class TransientFailure {
    private TransientFailure() {}

    /** Returns whether the machine failed, so that a retry may succeed. */
    public static boolean is(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof UncheckedIOException
                || cause instanceof DirectoryIteratorException;
    }

    /** Returns whether the runtime is stopping. */
    public static boolean isShutdown(Throwable cause) {
        return cause instanceof RejectedExecutionException || cause instanceof CancellationException;
    }
}
