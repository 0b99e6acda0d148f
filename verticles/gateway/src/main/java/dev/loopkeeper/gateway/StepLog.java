package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Path;

/** Reads the output of one step on this or another node. All methods block. */
public final class StepLog {
    private static final int CHUNK = 64 * 1024;
    /** A multiple of the chunk. */
    private static final long LONGEST = 16L * CHUNK;

    private final LogSource source;

    /** {@code <data>/runs/<runId>/steps/<stepId>/<stream>.log} or {@code prompt.md}. Requires validated names. */
    public StepLog(Path dataFolder, String runId, String stepId, String stream) {
        this(new LocalLog(dataFolder, runId, stepId, stream));
    }

    StepLog(LogSource source) {
        this.source = source;
    }

    /** Returns the dialect of the agent's standard output. */
    public OutputDialect output() throws IOException {
        return source.output();
    }

    /** Returns the offset of the end; 0 if there is no file. */
    long size() throws IOException {
        return source.size();
    }

    /** Returns the offset of the first byte that was not dropped. */
    long begin() throws IOException {
        return source.begin();
    }

    /** Reads at most this many bytes; none if there is no file. Dropped bytes are returned as one part with a text. */
    public LogFile.Part read(long offset, int length) throws IOException {
        return source.read(offset, length);
    }

    /** Reads a part, with size and state of the log. */
    LogPart part(long offset, int length) throws IOException {
        LogFile.Part part = length == 0 ? new LogFile.Part(Buffer.buffer(), offset) : read(offset, length);
        return new LogPart(part.bytes().getBytes(), part.next(), size(), begin(), hasFolder(), output());
    }

    /** Returns whether the step has a folder. A step without one may exist all the same. */
    boolean hasFolder() {
        return source.hasFolder();
    }

    /**
     * Returns the offset of the last lines. Dropped bytes end the search, and so does a line of more than 1 MiB, so
     * that a log without line breaks is not read completely.
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

    /** Counts the leading bytes that continue a UTF-8 character. */
    private static int withinLetter(byte... bytes) {
        int count = 0;
        while (count < Math.min(3, bytes.length) && (bytes[count] & 0xC0) == 0x80) {
            count++;
        }
        return count;
    }
}
