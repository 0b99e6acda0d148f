package dev.loopkeeper.process;

import dev.loopkeeper.agent.OwnRetryWords;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.DroppedBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Finds the last time at which a log got other content than retries of the agent: an agent without a network may log
 * a retry every minute for ever. Used by one thread at a time. Blocking.
 */
final class OutputNews {
    /** More new output than this is news, whatever it contains. */
    private static final int MOST_READ = 1 << 18;

    private final LogFile log;
    private final OutputDialect dialect;
    private long readTo;
    private Instant changedAt = Instant.EPOCH;
    private DroppedBytes dropped = DroppedBytes.NONE;
    private Instant lastNews = Instant.EPOCH;

    OutputNews(LogFile log, OutputDialect dialect) {
        this.log = log;
        this.dialect = dialect;
    }

    /** @param changed when the file last changed */
    Instant lastNews(Instant changed) throws IOException {
        long size = log.size();
        if (isTruncated(size, changed)) {
            readTo = 0;
        }
        if (size > readTo && hasNews(size)) {
            lastNews = changed;
        }
        readTo = size;
        changedAt = changed;
        return lastNews;
    }

    /** A log that was truncated and refilled may have its old size; so has one whose bytes we dropped. */
    private boolean isTruncated(long size, Instant changed) throws IOException {
        if (size != readTo || !changed.isAfter(changedAt)) {
            return size < readTo;
        }
        DroppedBytes before = dropped;
        dropped = log.dropped();
        return dropped.equals(before);
    }

    private boolean hasNews(long size) throws IOException {
        if (dialect == OutputDialect.TEXT || size - readTo > MOST_READ) {
            return true;
        }
        byte[] bytes = log.read(readTo, (int) (size - readTo)).bytes().getBytes();
        return new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .anyMatch(line -> !OwnRetryWords.isOnlyThat(dialect, line));
    }
}
