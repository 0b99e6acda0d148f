package dev.loopkeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folders in memory, where a sync costs nothing, for what need not survive the machine. */
public final class MemoryFolder {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** A container has 64 MB by default; the databases of three virtual machines take up to one gibibyte each. */
    private static final long ENOUGH_BYTES = 8L << 30;

    private MemoryFolder() {}

    /** A new folder in memory; in {@code otherwise} where the machine has none, or not enough. */
    public static Path create(Path otherwise, String prefix) throws IOException {
        boolean enough = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ENOUGH_BYTES;
        return Files.createTempDirectory(enough ? MEMORY : otherwise, prefix);
    }
}
