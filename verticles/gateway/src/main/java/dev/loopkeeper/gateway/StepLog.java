package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.run.LogPart;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Path;

/** The output of one step, wherever it lies. All methods block. */
public final class StepLog {
    private static final int CHUNK = 64 * 1024;
    /** A multiple of the chunk. */
    private static final long LONGEST = 16L * CHUNK;

    private final LogSource source;

    /** {@code <data>/runs/<runId>/steps/<stepId>/<stream>.log} or {@code prompt.md}; the names have been checked to be plain. */
    public StepLog(Path dataFolder, String runId, String stepId, String stream) {
        this(new LocalLog(dataFolder, runId, stepId, stream));
    }

    StepLog(LogSource source) {
        this.source = source;
    }

    /** How the agent's standard output is read. */
    public OutputDialect output() throws IOException {
        return source.output();
    }

    /** Offset of the end; 0 while there is no file. */
    long size() throws IOException {
        return source.size();
    }

    /** Offset of the first byte that is kept. */
    long begin() throws IOException {
        return source.begin();
    }

    /** Up to so many bytes from here on; none while there is no file. What was dropped is told in one part, as text. */
    public LogFile.Part read(long offset, int length) throws IOException {
        return source.read(offset, length);
    }

    /** A part of it, with what is known of the whole. */
    LogPart part(long offset, int length) throws IOException {
        LogFile.Part part = length == 0 ? new LogFile.Part(Buffer.buffer(), offset) : read(offset, length);
        return new LogPart(part.bytes().getBytes(), part.next(), size(), begin(), hasFolder(), output());
    }

    /** Whether the step was launched. A step without a folder may be one all the same. */
    boolean hasFolder() {
        return source.hasFolder();
    }

    /**
     * Offset from which so many of the last lines follow; a part that was dropped counts as the beginning, and so does what
     * a line has beyond its last MiB: a log without line breaks is not read whole.
     */
    public long tail(long lines) throws IOException {
        long size = size();
        if (lines <= 0) {
            return size;
        }
        long begin = begin();
        long left = lines;
        long lineEnd = size;
        for (long end = size; end > begin; ) {
            long from = Math.max(begin, end - CHUNK);
            byte[] bytes = read(from, (int) (end - from)).bytes().getBytes();
            for (int index = bytes.length - 1; index >= 0; index--) {
                boolean last = from + index == size - 1; // the end of the last line begins no other one
                if (bytes[index] == '\n' && !last) {
                    lineEnd = from + index;
                    if (--left <= 0) {
                        return lineEnd + 1;
                    }
                }
            }
            if (lineEnd - from >= LONGEST) {
                return from + withinLetter(bytes);
            }
            end = from;
        }
        return begin;
    }

    /** How many of these bytes belong to a letter in UTF-8 that began before them. */
    private static int withinLetter(byte... bytes) {
        int count = 0;
        while (count < Math.min(3, bytes.length) && (bytes[count] & 0xC0) == 0x80) {
            count++;
        }
        return count;
    }
}
