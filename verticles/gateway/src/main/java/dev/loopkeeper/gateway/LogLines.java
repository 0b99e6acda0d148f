package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.data.StepLog;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Reads a log continuously as lines for people. Blocks; not for concurrent use. */
final class LogLines {
    /** Most raw bytes that one answer is made from. */
    static final int MOST_BYTES = 8 * 1024 * 1024;

    /** Small, because empty lines grow fiftyfold in the answer. */
    private static final int CHUNK = 16 * 1024;

    private static final int FIRST_TAIL = 64 * 1024;

    private final StepLog log;
    private final LongFunction<SaidLines> readers;
    private SaidLines reader;
    private long next;
    private long nextLine;
    private long skipped;

    /**
     * Starts at the beginning of a line.
     *
     * @param readers create a reader for bytes from an offset on
     */
    LogLines(StepLog log, LongFunction<SaidLines> readers, long offset) {
        this.log = log;
        this.readers = readers;
        this.reader = readers.apply(offset);
        this.next = offset;
        this.nextLine = offset;
    }

    /**
     * Starts at the last lines, at most {@value #MOST_BYTES} bytes before the end. Reads the lines twice instead of
     * keeping them, since ten thousand may take many megabytes.
     *
     * @param size where the log ends
     * @param ended whether an unterminated last line is one of them
     */
    static LogLines tail(StepLog log, LongFunction<SaidLines> readers, long count, long size, boolean ended)
            throws IOException {
        long window = FIRST_TAIL;
        while (true) {
            long begin = lineFrom(log, Math.max(0, size - window), size);
            AtomicLong lines = new AtomicLong();
            LogLines counted = new LogLines(log, readers, begin);
            boolean more = true;
            while (more) {
                more = counted.read(size, line -> lines.incrementAndGet());
            }
            if (window >= Math.min(size, MOST_BYTES) || lines.get() >= count) {
                if (ended) {
                    counted.finish(line -> lines.incrementAndGet());
                }
                LogLines tail = new LogLines(log, readers, begin);
                tail.skipped = Math.max(0, lines.get() - count);
                return tail;
            }
            window *= 2;
        }
    }

    /** Returns where the next line begins. */
    private static long lineFrom(StepLog log, long offset, long end) throws IOException {
        long next = offset;
        while (next > 0 && next < end) {
            LogPart part = log.part(next, (int) Math.min(StepLog.CHUNK, end - next));
            for (int i = 0; i < part.bytes().length; i++) {
                if (part.bytes()[i] == '\n') {
                    return next + i + 1;
                }
            }
            next = part.bytes().length == 0 ? end : part.next();
        }
        return next;
    }

    /** Returns the offset of the next unread byte. */
    long next() {
        return next;
    }

    /** Returns the offset of the first line that is not emitted, because its end is not read. */
    long nextLine() {
        return nextLine;
    }

    /**
     * Reads one piece, at most up to this offset. Returns false if there is nothing more. Starts again at the beginning
     * of a log that was truncated.
     */
    boolean read(long end, Consumer<SaidLine> lines) throws IOException {
        if (next >= end) {
            return false;
        }
        LogPart part = log.part(next, (int) Math.min(CHUNK, end - next));
        byte[] bytes = part.bytes();
        if (part.size() < next) {
            reader.finish().forEach(line -> emit(line, lines));
            skipped = 0;
            startAt(0);
        } else if (bytes.length == 0) {
            return false;
        } else if (part.next() - next == bytes.length) {
            reader.feed(bytes, 0, bytes.length).forEach(line -> emit(line, lines));
            nextLine = afterLastLine(bytes);
            next = part.next();
        } else {
            // The text in place of dropped bytes has another length, so a new reader starts after them.
            reader.finish().forEach(line -> emit(line, lines));
            SaidLines.ofErrors(next).feed(bytes, 0, bytes.length).forEach(line -> emit(line.at(next), lines));
            startAt(part.next());
        }
        return true;
    }

    private void emit(SaidLine line, Consumer<SaidLine> lines) {
        if (skipped > 0) {
            skipped--;
        } else {
            lines.accept(line);
        }
    }

    private long afterLastLine(byte... bytes) {
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == '\n') {
                return next + i + 1;
            }
        }
        return nextLine;
    }

    private void startAt(long offset) {
        reader = readers.apply(offset);
        next = offset;
        nextLine = offset;
    }

    /** Emits the unterminated last line. Call last. */
    void finish(Consumer<SaidLine> lines) {
        nextLine = next;
        reader.finish().forEach(line -> emit(line, lines));
    }
}
