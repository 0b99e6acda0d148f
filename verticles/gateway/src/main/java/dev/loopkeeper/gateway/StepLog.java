package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.manifest.OutputDialect;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The output of one step on disk. All methods block. */
public final class StepLog {
    private static final int CHUNK = 64 * 1024;
    /** A multiple of the chunk. */
    private static final long LONGEST = 16L * CHUNK;

    private final StepFiles step;
    private final Path steps;
    private final Path file;
    private final LogFile log;

    /** {@code <data>/runs/<runId>/steps/<stepId>/<stream>.log} or {@code prompt.md}; the names have been checked to be plain. */
    public StepLog(Path dataFolder, String runId, String stepId, String stream) {
        this.step = StepFiles.of(dataFolder, runId, stepId);
        this.steps = RunPaths.steps(dataFolder, runId);
        this.file = steps.resolve(stepId).resolve(LogFile.nameOf(stream));
        this.log = new LogFile(file.getParent(), stream);
    }

    /** How the agent's standard output is read. */
    public OutputDialect output() throws IOException {
        return step.output();
    }

    /** Offset of the end; 0 while there is no file. */
    long size() throws IOException {
        return exists() ? log.size() : 0;
    }

    /** Up to so many bytes from here on; none while there is no file. What was dropped is told in one part, as text. */
    public LogFile.Part read(long offset, int length) throws IOException {
        return exists() ? log.read(offset, length) : new LogFile.Part(Buffer.buffer(), offset);
    }

    /** Opened for many reads; absent while there is no file. */
    Optional<LogFile.Reader> open() throws IOException {
        return exists() ? log.open() : Optional.empty();
    }

    /** Whether the step was launched. A step without a folder may be one all the same. */
    boolean hasFolder() {
        return Files.isDirectory(file.getParent());
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
        long begin = exists() ? log.dropped().to() : 0;
        long left = lines;
        long lineEnd = size;
        for (long end = size; end > begin; ) {
            long from = Math.max(begin, end - CHUNK);
            byte[] bytes = log.read(from, (int) (end - from)).bytes().getBytes();
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

    /** A link that leads out of the run's folder, laid by an agent, counts as no file. */
    private boolean exists() throws IOException {
        try {
            return file.toRealPath().startsWith(steps.toRealPath()) && Files.isRegularFile(file);
        } catch (NoSuchFileException notYet) {
            return false;
        }
    }
}
