package dev.loopkeeper.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * What the end of a step needs to know of its stdout. Blocking; memory is bounded whatever was printed.
 *
 * @param matched whether the expected text is in it; false when none was expected
 * @param digest SHA-256 in hex of the normalised text; of its first and last 256 KiB when it is longer
 */
record StepOutput(boolean matched, String digest) {
    private static final int EDGE = 256 * 1024;
    private static final int CHUNK = 64 * 1024;

    /** Nothing could be read. */
    static final StepOutput UNREADABLE = new StepOutput(false, "");

    /** Reads it; a file that is not there is empty. */
    static StepOutput read(Path file, String expected, UnaryOperator<String> normalise) throws IOException {
        if (!Files.isRegularFile(file)) {
            return new StepOutput(false, LauncherScript.digest(normalise.apply("")));
        }
        boolean matched = !expected.isEmpty() && contains(file, expected.getBytes(StandardCharsets.UTF_8));
        return new StepOutput(matched, LauncherScript.digest(normalise.apply(edges(file))));
    }

    private static String edges(Path file) throws IOException {
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
            long length = content.length();
            if (length <= 2L * EDGE) {
                return part(content, 0, (int) length);
            }
            return part(content, 0, EDGE) + "\n" + part(content, length - EDGE, EDGE);
        }
    }

    private static String part(RandomAccessFile content, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        content.seek(from);
        content.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Searches in chunks; what a match needs from the chunk before is carried over. */
    private static boolean contains(Path file, byte[] expected) throws IOException {
        byte[] buffer = new byte[CHUNK + expected.length];
        int held = 0;
        try (InputStream content = Files.newInputStream(file)) {
            int read = content.read(buffer, held, CHUNK);
            while (read > 0) {
                held += read;
                if (indexOf(buffer, held, expected) >= 0) {
                    return true;
                }
                int kept = Math.min(held, expected.length - 1);
                System.arraycopy(buffer, held - kept, buffer, 0, kept);
                held = kept;
                read = content.read(buffer, held, CHUNK);
            }
            return false;
        }
    }

    private static int indexOf(byte[] text, int length, byte[] expected) {
        for (int start = 0; start + expected.length <= length; start++) {
            if (matchesAt(text, start, expected)) {
                return start;
            }
        }
        return -1;
    }

    private static boolean matchesAt(byte[] text, int start, byte[] expected) {
        for (int index = 0; index < expected.length; index++) {
            if (text[start + index] != expected[index]) {
                return false;
            }
        }
        return true;
    }
}
