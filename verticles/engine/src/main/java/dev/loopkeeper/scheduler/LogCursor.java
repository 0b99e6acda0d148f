package dev.loopkeeper.scheduler;

import dev.loopkeeper.data.LogFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads one log of a step as it grows. An agent may truncate it, as {@code echo text > /dev/stdout} does: then reading
 * begins again at the start of the file. Blocking, and not for two threads at once.
 */
final class LogCursor {
    /** Takes what is read. */
    interface Sink {
        void take(byte[] chunk, int offset, int length);
    }

    private static final int CHUNK = 1 << 16;
    /** So many of the last bytes that were read are compared: a file that has only grown still has them. */
    private static final int KNOWN = 64;

    private static final byte[] LINE_END = {'\n'};

    private final LogFile log;
    private long next;
    private byte[] known = {};
    private boolean truncated;

    LogCursor(LogFile log) {
        this.log = log;
    }

    /** Whether the file was ever found truncated. */
    boolean isTruncated() {
        return truncated;
    }

    /** Passes over all but so many of the last bytes. */
    void skipTo(long tail) throws IOException {
        next = Math.max(0, log.size() - tail);
        known = new byte[0];
    }

    /** Reads all that is new. What was taken once is not taken again, also when reading fails in the middle. */
    void read(Sink sink) throws IOException {
        if (isOther()) {
            truncated = true;
            next = 0;
            known = new byte[0];
            sink.take(LINE_END, 0, 1); // what was read last is no beginning of what follows
        }
        LogFile.Part part = log.read(next, CHUNK);
        while (part.bytes().length() > 0) {
            byte[] bytes = part.bytes().getBytes();
            boolean whole = part.next() - next == bytes.length; // else a marker of what was dropped
            known = whole ? Arrays.copyOfRange(bytes, Math.max(0, bytes.length - KNOWN), bytes.length) : new byte[0];
            next = part.next();
            sink.take(bytes, 0, bytes.length);
            part = log.read(next, CHUNK);
        }
        next = part.next();
    }

    /** Whether the file is not the one that was read so far with more at its end. */
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
