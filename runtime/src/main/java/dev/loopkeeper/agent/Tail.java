package dev.loopkeeper.agent;

import dev.loopkeeper.step.EscapeSequences;
import java.nio.charset.StandardCharsets;

/** The last bytes of a stream as text, cut to whole lines. */
final class Tail {
    private final byte[] bytes;
    private int length;
    private boolean cut;

    Tail(int capacity) {
        bytes = new byte[2 * capacity];
    }

    void line(byte[] chunk, int offset, int count) {
        append(chunk, offset, count);
        append(new byte[] {'\n'}, 0, 1);
    }

    void append(byte[] chunk, int offset, int count) {
        int capacity = bytes.length / 2;
        int taken = Math.min(count, capacity);
        if (length + taken > bytes.length) {
            System.arraycopy(bytes, length - capacity, bytes, 0, capacity);
            length = capacity;
            cut = true;
        }
        cut |= taken < count;
        System.arraycopy(chunk, offset + count - taken, bytes, length, taken);
        length += taken;
    }

    /** All that is kept, as a person reads it; a first line that was cut is left out unless it is the only one. */
    String text() {
        String text = EscapeSequences.removed(new String(bytes, 0, length, StandardCharsets.UTF_8));
        int newline = cut ? text.indexOf('\n') : -1;
        return newline < 0 || newline == text.length() - 1 ? text : text.substring(newline + 1);
    }

    /** The last so many lines. */
    String lastLines(int count) {
        String text = text().stripTrailing();
        int start = text.length();
        for (int i = 0; i < count && start > 0; i++) {
            start = text.lastIndexOf('\n', start - 1);
        }
        return text.substring(Math.max(0, start)).strip();
    }
}
