package dev.loopkeeper.process;

import dev.loopkeeper.data.SmallFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** The real files, some of which cannot be read for a while. */
final class UnreadableFiles implements SmallFiles {
    private volatile Predicate<String> unreadable = file -> false;
    private volatile boolean throwsUnchecked;
    private volatile boolean sealed;
    private final AtomicInteger failures = new AtomicInteger();

    /** From now on these give an input/output error. */
    void failReading(Predicate<String> files) {
        failures.set(0);
        unreadable = files;
    }

    /** From now on reading these breaks in a way that no file can. */
    void throwUnchecked(Predicate<String> files) {
        throwsUnchecked = true;
        failReading(files);
    }

    /** From now on these may not be read, as if their folder took no visitors. */
    void seal(Predicate<String> files) {
        sealed = true;
        failReading(files);
    }

    void heal() {
        unreadable = file -> false;
    }

    /** Reads that failed since the failures began. */
    int failures() {
        return failures.get();
    }

    private void check(String file) throws IOException {
        if (unreadable.test(file)) {
            failures.incrementAndGet();
            if (throwsUnchecked) {
                throw new IllegalStateException("a reader broke");
            }
            throw sealed ? new AccessDeniedException(file) : new IOException("Input/output error");
        }
    }

    @Override
    public byte[] read(Path file) throws IOException {
        check(file.toString());
        return REAL.read(file);
    }

    @Override
    public int read(String file, byte[] beginning) throws IOException {
        check(file);
        return REAL.read(file, beginning);
    }
}
