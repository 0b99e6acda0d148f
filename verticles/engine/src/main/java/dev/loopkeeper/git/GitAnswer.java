package dev.loopkeeper.git;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The result of a git process that has ended.
 *
 * @param exit its status; 128 and more than that after a signal
 * @param bytes of its standard output; not to be changed
 * @param cut whether there was more output than the call allows; the git was ended then
 * @param complaint the end of its standard error, stripped
 */
@SuppressWarnings("ArrayRecordComponent")
public record GitAnswer(int exit, byte[] bytes, boolean cut, String complaint) {
    /** Whether git exited with code 0. */
    public boolean isGood() {
        return exit == 0;
    }

    /** The output as one text without the line ends at its end; names in it may be broken, see {@link #fields}. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8).stripTrailing();
    }

    /** The parts of an output in which each ends with a zero byte, as bytes, since names of files are that. */
    public List<byte[]> fields() {
        List<byte[]> fields = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == 0) {
                fields.add(Arrays.copyOfRange(bytes, start, at));
                start = at + 1;
            }
        }
        return fields;
    }
}
