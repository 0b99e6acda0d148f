package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out whether a folder can be written, by writing: rights alone say nothing of a full disk. */
public final class WriteProbe {
    private static final int PAGE_BYTES = 4096;

    private final Path folder;

    public WriteProbe(Path folder) {
        this.folder = folder;
    }

    /** Blocks; fails when it cannot. Nothing is left behind. */
    public Void write() throws IOException {
        Path file = Files.createTempFile(folder, ".ready", ".probe");
        try {
            Files.write(file, new byte[PAGE_BYTES]);
        } finally {
            Files.deleteIfExists(file);
        }
        return null;
    }
}
