package dev.loopkeeper.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the driver unpacks SQLite. In the folder for temporary files, its default, each {@code kill -9} would leave a copy
 * for good; in the data folder the next owner removes it.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    private static final String PROPERTY = "org.sqlite.tmpdir";
    private static final String LIBRARY_FOLDER = "org.sqlite.lib.path";
    private static final String LIBRARY_NAME = "libsqlitejdbc.so";
    private static final String RESOURCE = "/org/sqlite/native/Linux/%s/" + LIBRARY_NAME;
    /** As Java names processors, and as the driver does. */
    private static final Map<String, String> PROCESSORS = Map.of("amd64", "x86_64", "aarch64", "aarch64");
    /** Many times its size: a start must not fail on it where the disk is full. */
    private static final long ROOM_BYTES = 16L << 20;

    private static final NativeLibrary PROCESS = new NativeLibrary();

    private String own = "";
    private boolean unpacked;

    /** As of a process that has not unpacked it. */
    NativeLibrary() {}

    /** That of this process, which loads it once. */
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
                unpack(folder);
            }
        } catch (IOException refused) {
            LOG.warn("SQLite is unpacked into the folder for temporary files, not {}: {}", folder, refused.toString());
        }
    }

    /**
     * The driver would run {@code uname} first, and compare what it has unpacked byte by byte: a tenth of a start. It still
     * does where another library is needed, or this one is gone or cannot be loaded.
     */
    private void unpack(Path folder) {
        if (unpacked) {
            return;
        }
        unpacked = true;
        String processor = PROCESSORS.getOrDefault(System.getProperty("os.arch"), "other");
        boolean musl = Files.exists(Path.of("/lib/ld-musl-" + processor + ".so.1"));
        String resource = RESOURCE.formatted(processor);
        Path file = folder.resolve(LIBRARY_NAME);
        try (InputStream library = musl ? null : NativeLibrary.class.getResourceAsStream(resource)) {
            if (library != null && System.getProperty(LIBRARY_FOLDER) == null) {
                // Removed and created again, since an earlier owner may still have it loaded.
                Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
                System.setProperty(LIBRARY_FOLDER, folder.toString());
            }
        } catch (IOException refused) {
            LOG.debug("SQLite is left to its driver to unpack: {}", refused.toString());
            boolean unused = file.toFile().delete();
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith("sqlite-"))
                    .toList();
        }
    }
}
