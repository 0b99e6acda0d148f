package dev.loopkeeper.data;

import java.io.IOException;
import java.util.Arrays;

/**
 * Reads one log of a step as it grows. An agent may truncate it, e.g. with {@code echo text > /dev/stdout}; reading
 * then starts again at the beginning. Blocking and not thread-safe.
 */
public final class LogCursor {
    /** Receives what was read. */
    public interface Sink {
        void take(byte[] chunk, int offset, int length);
    }

    private static final int CHUNK = 1 << 16;
    /** Number of the last bytes read that are compared again: a file that has only grown still has them. */
    private static final int KNOWN = 64;

    private static final byte[] LINE_END = {'\n'};

    private final LogFile log;
    private long next;
    private byte[] known = {};
    private boolean truncated;

    public LogCursor(LogFile log) {
        this.log = log;
    }

    /** Whether the file was ever found truncated. */
    public boolean isTruncated() {
        return truncated;
    }

    /** Skips to this many bytes before the end. */
    public void skipTo(long tail) throws IOException {
        next = Math.max(0, log.size() - tail);
        known = new byte[0];
    }

    /** Reads all new bytes. Bytes passed to the sink are not passed again, even when reading fails half-way. */
    public void read(Sink sink) throws IOException {
        if (isOther()) {
            truncated = true;
            next = 0;
            known = new byte[0];
            sink.take(LINE_END, 0, 1); // ends the partial last line
        }
        LogFile.Part part = log.read(next, CHUNK);
        while (part.bytes().length() > 0) {
            byte[] bytes = part.bytes().getBytes();
            boolean whole = part.next() - next == bytes.length; // else it contains a marker for dropped output
            known = whole ? Arrays.copyOfRange(bytes, Math.max(0, bytes.length - KNOWN), bytes.length) : new byte[0];
            next = part.next();
            sink.take(bytes, 0, bytes.length);
            part = log.read(next, CHUNK);
        }
        next = part.next();
    }

    /** Whether the file is other than the one read so far with more at its end. */
    private boolean isOther() throws IOException {
        if (log.size() < next) {
            return true;
        }
        if (known.length == 0) {
            return false;
        }
        LogFile.Part part = log.read(next - known.length, known.length);
        return part.next() == next && !Arrays.equals(part.bytes().getBytes(), known);
    }
}
