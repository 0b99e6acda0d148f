package dev.loopkeeper.agent;

import java.util.Arrays;

/** Splits chunks into lines without LF or CRLF. Drops the content of lines over the limit. */
final class LineSplitter {
    /** A line, or the unfinished last one; the bytes are valid during the call only. */
    interface Sink {
        void line(byte[] bytes, int offset, int length);

        /** A line over the limit, of this length. */
        default void tooLong(long length) {}
    }

    /** Buffer kept between lines; a larger one is released after a long line. */
    private static final int KEPT = 64 * 1024;

    private final int limit;
    private final Sink sink;
    private byte[] held = new byte[1024];
    private int length;
    private boolean skipping;
    private long begin;
    private long lineLength;

    LineSplitter(int limit, Sink sink) {
        this(limit, 0, sink);
    }

    /** With the offset of the first byte. */
    LineSplitter(int limit, long begin, Sink sink) {
        this.limit = limit;
        this.begin = begin;
        this.sink = sink;
    }

    /** The offset of the current line. */
    long begin() {
        return begin;
    }

    void feed(byte[] chunk, int offset, int count) {
        int end = offset + count;
        int start = offset;
        for (int i = offset; i < end; i++) {
            if (chunk[i] == '\n') {
                endOfLine(chunk, start, i - start);
                begin++;
                start = i + 1;
            }
        }
        hold(chunk, start, end - start);
        lineLength += end - start;
    }

    /** Passes the last line on if it did not end with LF. */
    void finish() {
        endOfLine(held, 0, 0);
    }

    private void endOfLine(byte[] chunk, int start, int count) {
        lineLength += count;
        if (lineLength == count && count <= limit) {
            emit(chunk, start, count);
        } else {
            hold(chunk, start, count);
            if (skipping) {
                sink.tooLong(lineLength);
            } else {
                emit(held, 0, length);
            }
        }
        clear();
        skipping = false;
        begin += lineLength;
        lineLength = 0;
    }

    private void emit(byte[] bytes, int offset, int count) {
        boolean carriageReturn = count > 0 && bytes[offset + count - 1] == '\r';
        int size = carriageReturn ? count - 1 : count;
        if (size > 0) {
            sink.line(bytes, offset, size);
        }
    }

    private void hold(byte[] chunk, int start, int count) {
        if (skipping || count == 0) {
            return;
        }
        if (count > limit - length) {
            clear();
            skipping = true;
            return;
        }
        if (count > held.length - length) {
            held = Arrays.copyOf(held, Math.min(limit, Math.max(length + count, held.length * 2)));
        }
        System.arraycopy(chunk, start, held, length, count);
        length += count;
    }

    private void clear() {
        length = 0;
        if (held.length > KEPT) {
            held = new byte[KEPT];
        }
    }
}
