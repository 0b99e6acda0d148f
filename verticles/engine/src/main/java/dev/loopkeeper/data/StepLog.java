package dev.loopkeeper.data;

import dev.loopkeeper.contract.NodeChannels.LogPart;
import java.io.IOException;
import java.nio.file.Path;

/** The output of one step on this or another node. All methods block; do not call them on an event loop. */
@FunctionalInterface
public interface StepLog {
    /** Bytes that are read at once in search of lines. */
    int CHUNK = 64 * 1024;

    /** {@code <data>/runs/<runId>/steps/<stepId>/<stream>.log} or {@code prompt.md}. Requires validated names. */
    static StepLog of(Path dataFolder, String runId, String stepId, String stream) {
        return new LocalLog(dataFolder, runId, stepId, stream)::part;
    }

    /**
     * Reads a part, with the state of the log. Dropped bytes are returned as one part with a text.
     *
     * @param length in bytes, at most {@value dev.loopkeeper.contract.NodeChannels.ReadLog#MOST}; 0 reads the state only
     */
    LogPart part(long offset, int length) throws IOException;

    /** Reads the state of the log. */
    default LogPart state() throws IOException {
        return part(0, 0);
    }

    /**
     * Returns the offset of the last lines. Dropped bytes end the search, and so does a line of more than 1 MiB, so
     * that a log without line breaks is not read completely.
     */
    default long tail(long lines) throws IOException {
        LogPart state = state();
        long size = state.size();
        if (lines <= 0) {
            return size;
        }
        long left = lines;
        long lineEnd = size;
        for (long end = size; end > state.begin(); ) {
            long from = Math.max(state.begin(), end - CHUNK);
            byte[] bytes = part(from, (int) (end - from)).bytes();
            for (int index = bytes.length - 1; index >= 0; index--) {
                boolean last = from + index == size - 1; // the end of the last line begins no other one
                if (bytes[index] == '\n' && !last) {
                    lineEnd = from + index;
                    if (--left <= 0) {
                        return lineEnd + 1;
                    }
                }
            }
            if (lineEnd - from >= 16L * CHUNK) {
                return from + withinLetter(bytes);
            }
            end = from;
        }
        return state.begin();
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
