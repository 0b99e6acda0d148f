package dev.loopkeeper.agent;

import dev.loopkeeper.step.EscapeSequences;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keeps the last bytes of a stream as text, cut to complete lines. Its buffer grows with the output, since most steps
 * print little.
 */
final class Tail {
    private static final int FIRST_CAPACITY = 256;

    private final int capacity;
    private byte[] bytes = new byte[0];
    private int length;
    private boolean cut;

    Tail(int capacity) {
        this.capacity = capacity;
    }

    void line(byte[] chunk, int offset, int count) {
        append(chunk, offset, count);
        append(new byte[] {'\n'}, 0, 1);
    }

    void append(byte[] chunk, int offset, int count) {
        int taken = Math.min(count, capacity);
        if (taken < count) {
            // The new bytes alone fill the buffer.
            length = 0;
            cut = true;
        } else if (length + taken > 2 * capacity) {
            System.arraycopy(bytes, length - capacity, bytes, 0, capacity);
            length = capacity;
            cut = true;
        }
        grow(length + taken);
        System.arraycopy(chunk, offset + count - taken, bytes, length, taken);
        length += taken;
    }

    private void grow(int needed) {
        if (needed > bytes.length) {
            int more = Math.max(FIRST_CAPACITY, 2 * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.min(2 * capacity, Math.max(needed, more)));
        }
    }

    /** The kept text as a person reads it; drops a cut first line unless it is the only one. */
    String text() {
        String text = EscapeSequences.removed(new String(bytes, 0, length, StandardCharsets.UTF_8));
        int newline = cut ? text.indexOf('\n') : -1;
        return newline < 0 || newline == text.length() - 1 ? text : text.substring(newline + 1);
    }

    /** The last {@code count} lines. */
    String lastLines(int count) {
        String text = text().stripTrailing();
        int start = text.length();
        for (int i = 0; i < count && start > 0; i++) {
            start = text.lastIndexOf('\n', start - 1);
        }
        return text.substring(Math.max(0, start)).strip();
    }
}
