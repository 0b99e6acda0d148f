package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.CheckoutChannels.DiffPart;
import dev.loopkeeper.contract.CheckoutChannels.ReadDiff;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitOutput;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Streams diffs part by part, each from a git process of its own that waits for its reader. The process ends when its
 * reader has read everything, closes it, or is idle for too long. Blocking; safe to use from any thread.
 */
final class DiffReaders {
    /** Most git processes at a time; each lives as long as its reader. */
    static final int MOST = 32;

    private final Duration patience;
    private final Map<String, Reader> readers = new ConcurrentHashMap<>();
    private boolean closed;

    /** @param patience limit for an idle reader, and for a git without output */
    DiffReaders(Duration patience) {
        this.patience = patience;
    }

    /** @param begin starts git at the first part */
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
                    Problem.LOCKED, MOST + " diffs are being read at this moment; retry when one of them is done");
        }
    }

    private Reader known(ReadDiff question) {
        return Optional.ofNullable(readers.get(question.reader())).orElseThrow(() -> gone(question));
    }

    private static WorktreeException gone(ReadDiff question) {
        return new WorktreeException(
                Problem.TIMED_OUT,
                "the changes between " + question.from() + " and " + question.to()
                        + " are no longer being read; request them again");
    }

    private void end(String reader) {
        Optional.ofNullable(readers.remove(reader)).ifPresent(known -> known.output.close());
    }

    /** Ends the processes of readers that were idle for too long. */
    void endSilent() {
        long now = System.nanoTime();
        readers.forEach((name, reader) -> {
            if (now - reader.lastUse > patience.toNanos()) {
                end(name);
            }
        });
    }

    /** Ends all processes and accepts no further readers. */
    synchronized void close() {
        closed = true;
        readers.keySet().forEach(this::end);
    }

    private static final class Reader {
        private final GitOutput output;
        private volatile long lastUse = System.nanoTime();
        private long offset;

        Reader(GitOutput output) {
            this.output = output;
        }

        synchronized DiffPart next(ReadDiff question) {
            if (question.offset() != offset) {
                throw gone(question);
            }
            lastUse = System.nanoTime();
            byte[] bytes = GitCalls.read(output, DiffPart.MOST);
            lastUse = System.nanoTime();
            offset += bytes.length;
            return new DiffPart(bytes, bytes.length < DiffPart.MOST);
        }
    }
}
