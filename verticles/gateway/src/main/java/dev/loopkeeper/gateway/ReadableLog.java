package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.data.LogFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** A step's log as lines for people. Blocking. */
final class ReadableLog {
    /** Lines that are told at once. */
    static final int MOST_LINES = 10_000;

    /** Raw bytes that one answer is read from. */
    static final int MOST_BYTES = 8 * 1024 * 1024;

    private static final int CHUNK = 64 * 1024;
    private static final int FIRST_TAIL = 64 * 1024;

    private final StepLog log;
    private final LongFunction<SaidLines> readers;

    /** @param readers make a reader for bytes from an offset on */
    ReadableLog(StepLog log, LongFunction<SaidLines> readers) {
        this.log = log;
        this.readers = readers;
    }

    /**
     * Where a reader begins.
     *
     * @param passed how many of its lines are not told
     */
    record Start(LogLines reader, long passed) {}

    /** From this offset on, which is the start of a line. */
    Start start(long offset) {
        return new Start(new LogLines(log, readers, offset), 0);
    }

    /**
     * The lines from this offset on, which is the start of a line.
     *
     * @param ended whether nothing more is written: else a last line without an end is left for the next page
     */
    LinesPage from(long offset, long limit, boolean ended) throws IOException {
        long size = log.size();
        long end = Math.min(size, offset + Math.min(limit, MOST_BYTES));
        return new LinesPage(start(offset), end, end < size, ended);
    }

    /** The last so many lines, of the last {@value #MOST_BYTES} bytes at the most. */
    LinesPage tail(int count, boolean ended) throws IOException {
        long size = log.size();
        return new LinesPage(start(count, size, ended), size, false, ended);
    }

    /** Where the last so many lines begin that are whole. */
    Start tail(int count) throws IOException {
        return start(count, log.size(), false);
    }

    /** They are read twice rather than kept: ten thousand may be many megabytes. */
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
