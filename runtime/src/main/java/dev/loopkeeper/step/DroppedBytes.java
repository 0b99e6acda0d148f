package dev.loopkeeper.step;

import java.nio.charset.StandardCharsets;

/**
 * The part of a log that is no longer kept.
 *
 * @param from offset of the first byte that is gone
 * @param to offset of the first byte after them
 */
public record DroppedBytes(long from, long to) {
    /** Nothing is gone. */
    public static final DroppedBytes NONE = new DroppedBytes(0, 0);

    /** How many. */
    public long count() {
        return to - from;
    }

    /** Whether the byte at this offset is gone. */
    public boolean covers(long offset) {
        return offset >= from && offset < to;
    }

    /** What readers find in their place: a line of its own, in UTF-8. */
    public byte[] marker() {
        String text = "\n[loopkeeper: " + count() + " bytes were dropped here, the log limit was reached]\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
