package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the driver unpacks SQLite. By default it is a temporary folder, where each {@code kill -9} would leave a copy; in the data
 * folder the next owner removes it.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    private static final String PROPERTY = "org.sqlite.tmpdir";
    /** Many times its size: a start must not fail on it where the disk is full. */
    private static final long ROOM_BYTES = 16L << 20;

    private static final NativeLibrary PROCESS = new NativeLibrary();

    private String own = "";

    /** Returns the library of this process, which is loaded once. */
    static NativeLibrary ofProcess() {
        return PROCESS;
    }

    /**
     * For the owner, before the first connection of this process. A place that is set already stays, unless it was set
     * here and is gone: its folder was removed before anything was unpacked.
     */
    synchronized void unpackIn(Path dataFolder) {
        Path folder = dataFolder.resolve(DataFolder.NATIVE);
        String set = System.getProperty(PROPERTY);
        if (set != null && !(set.equals(own) && Files.notExists(Path.of(set)))) {
            return;
        }
        try {
            Files.createDirectories(folder);
            for (Path left : files(folder)) {
                Files.deleteIfExists(left);
            }
            if (Files.getFileStore(folder).getUsableSpace() >= ROOM_BYTES) {
                own = folder.toString();
                System.setProperty(PROPERTY, own);
            }
        } catch (IOException refused) {
            LOG.warn("SQLite is unpacked into the folder for temporary files, not {}: {}", folder, refused.toString());
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith("sqlite-"))
                    .toList();
        }
    }
}
