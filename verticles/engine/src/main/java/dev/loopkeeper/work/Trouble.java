package dev.loopkeeper.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;

/**
 * Tells apart why a look failed. Trouble of the machine, such as no free file descriptor or a disk that does not answer,
 * says nothing of what was looked for: whoever looked looks again. Everything else is a flaw of ours, and would fail
 * again.
 */
public final class Trouble {
    private Trouble() {}

    /** Whether the machine is in trouble, so that another look may succeed. */
    public static boolean is(Throwable cause) {
        return cause instanceof IOException
                || cause instanceof UncheckedIOException
                || cause instanceof DirectoryIteratorException;
    }

    /** Whether nobody looks any more, because the runtime ends. */
    public static boolean isEnd(Throwable cause) {
        return cause instanceof RejectedExecutionException || cause instanceof CancellationException;
    }
}
