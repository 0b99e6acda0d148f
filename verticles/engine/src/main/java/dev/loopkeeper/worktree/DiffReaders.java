package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.worktree.DiffPart;
import dev.loopkeeper.contract.worktree.ReadDiff;
import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.git.GitOutput;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Changes that are read part by part, each by a git of its own that goes no faster than its reader. Such a git is gone when
 * its reader has all, says that it wants no more, or is silent for too long. Blocking; safe to use from any thread.
 */
final class DiffReaders {
    /** Of gits at a time; each is there for as long as somebody takes to read it. */
    static final int MOST = 32;

    private final Duration patience;
    private final Map<String, Reader> readers = new ConcurrentHashMap<>();
    private boolean closed;

    /** @param patience with a reader who asks for no further part, and with a git that says nothing */
    DiffReaders(Duration patience) {
        this.patience = patience;
    }

    /** @param begin opens the output at the first part */
    @CanIgnoreReturnValue
    DiffPart read(ReadDiff question, Supplier<GitOutput> begin) {
        if (question.over()) {
            end(question.reader());
            return new DiffPart(new byte[0], true);
        }
        Reader reader = question.offset() == 0 ? begun(question, begin) : known(question);
        boolean goesOn = false;
        try {
            DiffPart part = reader.next(question);
            goesOn = !part.last();
            return part;
        } finally {
            if (!goesOn) {
                end(question.reader());
            }
        }
    }

    private Reader begun(ReadDiff question, Supplier<GitOutput> begin) {
        refuseMore(question);
        Reader reader = new Reader(begin.get());
        try {
            add(question, reader);
        } catch (WorktreeException refused) {
            reader.output.close();
            throw refused;
        }
        return reader;
    }

    private synchronized void add(ReadDiff question, Reader reader) {
        refuseMore(question);
        readers.put(question.reader(), reader);
    }

    private synchronized void refuseMore(ReadDiff question) {
        if (closed || readers.containsKey(question.reader())) {
            throw gone(question);
        }
        if (readers.size() >= MOST) {
            throw new WorktreeException(
                    Problem.LOCKED, MOST + " changes are being read at this moment; ask again when one is done");
        }
    }

    private Reader known(ReadDiff question) {
        return Optional.ofNullable(readers.get(question.reader())).orElseThrow(() -> gone(question));
    }

    private static WorktreeException gone(ReadDiff question) {
        return new WorktreeException(
                Problem.TIMED_OUT,
                "the changes between " + question.from() + " and " + question.to()
                        + " are not being read any more; ask for them anew");
    }

    private void end(String reader) {
        Optional.ofNullable(readers.remove(reader)).ifPresent(known -> known.output.close());
    }

    /** Ends those from whom nothing was heard for too long. */
    void endSilent() {
        long now = System.nanoTime();
        readers.forEach((name, reader) -> {
            if (now - reader.heard > patience.toNanos()) {
                end(name);
            }
        });
    }

    /** Ends all of them; there are no more afterwards. */
    synchronized void close() {
        closed = true;
        readers.keySet().forEach(this::end);
    }

    private static final class Reader {
        private final GitOutput output;
        private volatile long heard = System.nanoTime();
        private long offset;

        Reader(GitOutput output) {
            this.output = output;
        }

        synchronized DiffPart next(ReadDiff question) {
            if (question.offset() != offset) {
                throw gone(question);
            }
            heard = System.nanoTime();
            byte[] bytes = Calls.read(output, DiffPart.MOST);
            heard = System.nanoTime();
            offset += bytes.length;
            return new DiffPart(bytes, bytes.length < DiffPart.MOST);
        }
    }
}
