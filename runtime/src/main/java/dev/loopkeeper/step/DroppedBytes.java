package dev.loopkeeper.step;

import java.nio.charset.StandardCharsets;

/**
 * The range of a log that Loopkeeper has dropped.
 *
 * @param from offset of the first dropped byte
 * @param to offset after the last dropped byte
 */
public record DroppedBytes(long from, long to) {
    public static final DroppedBytes NONE = new DroppedBytes(0, 0);

    public long count() {
        return to - from;
    }

    /** Whether Loopkeeper dropped the byte at this offset. */
    public boolean covers(long offset) {
        return offset >= from && offset < to;
    }

    /** The line that replaces the dropped bytes, in UTF-8. */
    public byte[] marker() {
        String text = "\n[loopkeeper: " + count() + " bytes were dropped here, the log limit was reached]\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
