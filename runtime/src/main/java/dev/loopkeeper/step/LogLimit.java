package dev.loopkeeper.step;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits how much of a step's output Loopkeeper keeps, stdout and stderr together. A log beyond its share keeps its
 * beginning and its newest part.
 *
 * @param bytes 0 for no limit, else at least {@value #SMALLEST}
 */
public record LogLimit(long bytes) {
    /** No limit. */
    public static final LogLimit NONE = new LogLimit(0);
    /** 1 GiB. */
    public static final LogLimit DEFAULT = new LogLimit(1L << 30);

    private static final long SMALLEST = 64 * 1024;
    /** Block size of file systems; only complete blocks free disk space. */
    private static final long BLOCK = 4096;
    /** The share of the beginning, and the least share that is dropped at once, so that drops stay rare. */
    private static final long PART = 8;

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,12})\\s*([kmgt]?)(?:i?b)?", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "kmgt";

    public LogLimit {
        if (bytes != 0 && bytes < SMALLEST) {
            throw new IllegalArgumentException("a log limit must be 0 (none) or at least 64KiB, was " + bytes);
        }
    }

    /** Reads {@code 1GiB}, {@code 500m} or {@code 65536}; units are powers of 1024. Empty for anything else. */
    public static Optional<LogLimit> parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String unit = matcher.group(2).toLowerCase(Locale.ROOT);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        long count = Long.parseLong(matcher.group(1));
        boolean usable = count <= Long.MAX_VALUE >> shift && (count == 0 || count << shift >= SMALLEST);
        return usable ? Optional.of(new LogLimit(count << shift)) : Optional.empty();
    }

    /**
     * Returns the range to drop from one log; empty while the log is within its share.
     *
     * @param size offset of its end
     * @param before the range dropped so far
     * @param keptByOther bytes of the step's other log; at most one half of the limit is counted
     */
    public Optional<DroppedBytes> drop(long size, DroppedBytes before, long keptByOther) {
        if (bytes == 0) {
            return Optional.empty();
        }
        long share = Math.max(bytes / 2, bytes - keptByOther);
        if (size - before.count() <= share) {
            return Optional.empty();
        }
        long from = before.count() > 0 ? before.from() : wholeBlocks(bytes / PART);
        long tail = Math.max(share - from - bytes / PART, bytes / PART);
        long to = wholeBlocks(size - tail);
        return to > before.to() && to > from ? Optional.of(new DroppedBytes(from, to)) : Optional.empty();
    }

    private static long wholeBlocks(long offset) {
        return offset / BLOCK * BLOCK;
    }
}
