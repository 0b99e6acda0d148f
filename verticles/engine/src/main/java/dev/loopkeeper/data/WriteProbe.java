package dev.loopkeeper.data;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tests whether a folder is writable by writing a file, since permissions do not show a full disk.
 *
 * @param bytes as many as are going to be written at once: on a disk that is almost full a page may fit where nothing
 *     else does
 */
public record WriteProbe(Path folder, int bytes) {
    private static final int PAGE_BYTES = 4096;

    /** Tries one page. */
    public WriteProbe(Path folder) {
        this(folder, PAGE_BYTES);
    }

    /** Blocks; fails when it cannot. Nothing is left behind. */
    public Void write() throws IOException {
        Path file = Files.createTempFile(folder, ".ready", ".probe");
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] page = new byte[PAGE_BYTES];
            for (int written = 0; written < bytes; written += PAGE_BYTES) {
                out.write(page);
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return null;
    }
}
