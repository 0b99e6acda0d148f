package dev.loopkeeper.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files that this process has locked: the store's and the owner's. POSIX locks belong to the process, and closing any
 * descriptor of a file releases all of them, so other code must not open these files, by whatever name. Code that opens
 * a file named by an agent or a person asks here first. Thread-safe; its methods block.
 */
public final class LockedFiles {
    private static final List<String> NAMES = List.of("events.db", "events.db-wal", "events.db-shm", "owner.lock");

    /** Number of holders of each data folder in this process; locks belong to processes as well. */
    private static final Map<Path, Integer> HELD = new HashMap<>();

    private LockedFiles() {}

    /** Includes the files of this data folder until {@link #release} with the same path. */
    public static void hold(Path dataFolder) {
        synchronized (HELD) {
            HELD.merge(dataFolder, 1, Integer::sum);
        }
    }

    /** Once for each {@link #hold}. */
    public static void release(Path dataFolder) {
        synchronized (HELD) {
            HELD.computeIfPresent(dataFolder, (folder, times) -> times > 1 ? times - 1 : null);
        }
    }

    /** Whether this path leads to such a file, links followed. */
    public static boolean include(Path file) {
        return FileId.of(file).filter(ids()::contains).isPresent();
    }

    /** Fails where this path leads to such a file. */
    public static void refuse(Path file) throws IOException {
        if (include(file)) {
            throw new IOException(file + " belongs to Loopkeeper's event store");
        }
    }

    /** Whether this process has a store open in this folder, or owns it. */
    public static boolean holdsIn(Path dataFolder) {
        return FileId.of(dataFolder)
                .filter(wanted -> folders().stream()
                        .anyMatch(folder ->
                                FileId.of(folder).filter(wanted::equals).isPresent()))
                .isPresent();
    }

    /** Returns the ids of the existing files; SQLite creates and removes some of them during its work. */
    public static Set<FileId> ids() {
        Set<FileId> ids = new HashSet<>();
        for (Path folder : folders()) {
            for (String name : NAMES) {
                FileId.of(folder.resolve(name)).ifPresent(ids::add);
            }
        }
        return ids;
    }

    private static List<Path> folders() {
        synchronized (HELD) {
            return List.copyOf(HELD.keySet());
        }
    }
}
