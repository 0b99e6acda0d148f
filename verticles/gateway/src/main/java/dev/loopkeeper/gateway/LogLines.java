package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.data.LogFile;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Reads a log continuously as lines for people. Blocks; not for concurrent use. */
final class LogLines {
    /** Small, because empty lines grow fiftyfold in the answer. */
    private static final int CHUNK = 16 * 1024;

    private final StepLog log;
    private final LongFunction<SaidLines> readers;
    private SaidLines reader;
    private long next;
    private long nextLine;

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

    /** Returns the offset of the next unread byte. */
    long next() {
        return next;
    }

    /** Returns the offset of the first line that is not emitted, because its end is not read. */
    long nextLine() {
        return nextLine;
    }

    /** Reads one piece, at most up to this offset. Returns false if there is nothing more. */
    boolean read(long end, Consumer<SaidLine> lines) throws IOException {
        if (next >= end) {
            return false;
        }
        LogFile.Part part = log.read(next, (int) Math.min(CHUNK, end - next));
        byte[] bytes = part.bytes().getBytes();
        if (bytes.length == 0) {
            return false;
        }
        if (part.next() - next == bytes.length) {
            reader.feed(bytes, 0, bytes.length).forEach(lines);
            nextLine = afterLastLine(bytes);
        } else {
            emitDropped(bytes, part.next(), lines);
        }
        next = part.next();
        return true;
    }

    private long afterLastLine(byte[] bytes) {
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] == '\n') {
                return next + i + 1;
            }
        }
        return nextLine;
    }

    /** The text in place of dropped bytes has another length, so a new reader starts after them. */
    private void emitDropped(byte[] marker, long after, Consumer<SaidLine> lines) {
        reader.finish().forEach(lines);
        SaidLines.ofErrors(next).feed(marker, 0, marker.length).stream()
                .map(line -> line.at(next))
                .forEach(lines);
        reader = readers.apply(after);
        nextLine = after;
    }

    /** Starts again at the beginning of a truncated log. Returns the unterminated last line. */
    List<SaidLine> restart() {
        List<SaidLine> last = reader.finish();
        reader = readers.apply(0);
        next = 0;
        nextLine = 0;
        return last;
    }

    /** Returns the unterminated last line. Call last. */
    List<SaidLine> finish() {
        nextLine = next;
        return reader.finish();
    }
}
