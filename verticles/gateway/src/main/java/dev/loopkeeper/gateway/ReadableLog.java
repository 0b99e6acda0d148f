package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.data.LogFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** Reads a step's log as lines for people. Blocks. */
final class ReadableLog {
    /** Most lines in one answer. */
    static final int MOST_LINES = 10_000;

    /** Most raw bytes that one answer is made from. */
    static final int MOST_BYTES = 8 * 1024 * 1024;

    private static final int CHUNK = 64 * 1024;
    private static final int FIRST_TAIL = 64 * 1024;

    private final StepLog log;
    private final LongFunction<SaidLines> readers;

    /** @param readers create a reader for bytes from an offset on */
    ReadableLog(StepLog log, LongFunction<SaidLines> readers) {
        this.log = log;
        this.readers = readers;
    }

    /**
     * Where to begin.
     *
     * @param skipped number of lines to skip
     */
    record Start(LogLines reader, long skipped) {}

    /** Begins at this offset, which is the start of a line. */
    Start start(long offset) {
        return new Start(new LogLines(log, readers, offset), 0);
    }

    /**
     * Returns the lines from this offset, which is the start of a line.
     *
     * @param ended whether the log is complete; otherwise an unterminated last line is left for the next page
     */
    LinesPage from(long offset, long limit, boolean ended) throws IOException {
        long size = log.size();
        long end = Math.min(size, offset + Math.min(limit, MOST_BYTES));
        return new LinesPage(start(offset), end, end < size, ended);
    }

    /** Returns the last lines, at most from the last {@value #MOST_BYTES} bytes. */
    LinesPage tail(int count, boolean ended) throws IOException {
        long size = log.size();
        return new LinesPage(start(count, size, ended), size, false, ended);
    }

    /** Returns where the last complete lines begin. */
    Start tail(int count) throws IOException {
        return start(count, log.size(), false);
    }

    /** Reads the lines twice instead of keeping them, since ten thousand may take many megabytes. */
    private Start start(int count, long size, boolean ended) throws IOException {
        long window = FIRST_TAIL;
        while (true) {
            long start = Math.max(0, size - window);
            long begin = start > 0 ? afterLine(start, size) : 0;
            LogLines reader = start(begin).reader();
            long lines = count(reader, size);
            if (start == 0 || lines >= count || window >= MOST_BYTES) {
                long all = ended ? lines + reader.finish().size() : lines;
                return new Start(start(begin).reader(), Math.max(0, all - count));
            }
            window *= 2;
        }
    }

    private static long count(LogLines reader, long size) throws IOException {
        AtomicLong lines = new AtomicLong();
        boolean more = true;
        while (more) {
            more = reader.read(size, line -> lines.incrementAndGet());
        }
        return lines.get();
    }

    private long afterLine(long offset, long end) throws IOException {
        long next = offset;
        while (next < end) {
            LogFile.Part part = log.read(next, (int) Math.min(CHUNK, end - next));
            byte[] bytes = part.bytes().getBytes();
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    return next + i + 1;
                }
            }
            if (bytes.length == 0) {
                return end;
            }
            next = part.next();
        }
        return end;
    }
}
