package dev.loopkeeper.gateway;

import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.data.LogFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** A log read on and on as lines for people. Blocking; not for two threads at once. */
final class LogLines {
    /** Of empty lines the answer is some fifty times as long. */
    private static final int CHUNK = 16 * 1024;

    private final StepLog log;
    private final LongFunction<SaidLines> readers;
    private SaidLines reader;
    private long next;
    private long whole;

    /**
     * From the start of a line on.
     *
     * @param readers make a reader for bytes from an offset on
     */
    LogLines(StepLog log, LongFunction<SaidLines> readers, long offset) {
        this.log = log;
        this.readers = readers;
        this.reader = readers.apply(offset);
        this.next = offset;
        this.whole = offset;
    }

    /** Offset of the next byte that is not read yet. */
    long next() {
        return next;
    }

    /** Offset of the first line that is not told yet, since its end has not been read. */
    long whole() {
        return whole;
    }

    /** Reads on for one piece, up to this offset at the most; false where there is nothing more. */
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
            whole = afterLastLine(bytes);
        } else {
            tellDropped(bytes, part.next(), lines);
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
        return whole;
    }

    /** The text that stands for it has not the length of what it stands for: what follows is counted anew. */
    private void tellDropped(byte[] marker, long after, Consumer<SaidLine> lines) {
        reader.finish().forEach(lines);
        SaidLines.ofErrors(next).feed(marker, 0, marker.length).stream()
                .map(line -> new SaidLine(next, Optional.empty(), line.kind(), line.text()))
                .forEach(lines);
        reader = readers.apply(after);
        whole = after;
    }

    /** Begins again at the start of a log that its agent has truncated; answers with the line that has no end. */
    List<SaidLine> restart() {
        List<SaidLine> last = reader.finish();
        reader = readers.apply(0);
        next = 0;
        whole = 0;
        return last;
    }

    /** What has no end of its line. Nothing is read afterwards. */
    List<SaidLine> finish() {
        whole = next;
        return reader.finish();
    }
}
