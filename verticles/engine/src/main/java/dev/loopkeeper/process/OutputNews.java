package dev.loopkeeper.process;

import dev.loopkeeper.agent.OwnRetryWords;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.DroppedBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * When a log last told anything but that the agent tries again by itself: an agent without a network may say so every
 * minute for ever. Looked at by one thread at a time. Blocking.
 */
final class OutputNews {
    /** More than this in one look is news, whatever it says. */
    private static final int MOST_LOOKED_AT = 1 << 18;

    private final LogFile log;
    private final OutputDialect dialect;
    private long lookedAt;
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
            lookedAt = 0;
        }
        if (size > lookedAt && tells(size)) {
            lastNews = changed;
        }
        lookedAt = size;
        changedAt = changed;
        return lastNews;
    }

    /** An agent that truncates its log and prints as much as before leaves a file of the same size; so do we. */
    private boolean isTruncated(long size, Instant changed) throws IOException {
        if (size != lookedAt || !changed.isAfter(changedAt)) {
            return size < lookedAt;
        }
        DroppedBytes before = dropped;
        dropped = log.dropped();
        return dropped.equals(before);
    }

    private boolean tells(long size) throws IOException {
        if (dialect == OutputDialect.TEXT || size - lookedAt > MOST_LOOKED_AT) {
            return true;
        }
        byte[] bytes = log.read(lookedAt, (int) (size - lookedAt)).bytes().getBytes();
        return new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .anyMatch(line -> !OwnRetryWords.isOnlyThat(dialect, line));
    }
}
