package dev.loopkeeper.cli;

import com.sun.jna.Native;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks at this machine; changes nothing. */
final class MachineChecks {
    private static final Set<String> FAR = Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs");

    private final Path dataFolder;
    private final Map<String, String> environment;

    MachineChecks(Path dataFolder, Map<String, String> environment) {
        this.dataFolder = dataFolder;
        this.environment = environment;
    }

    List<MachineCheck> all() {
        return List.of(
                java(),
                program("each step has a session of its own", true, "setsid"),
                readable("every process of a run is found", true, "/proc/self/stat"),
                natives(),
                database(),
                writable(),
                local(),
                names(),
                readable(
                        "signal files are seen at once, not after a second",
                        false,
                        "/proc/sys/fs/inotify/max_user_watches"));
    }

    private static MachineCheck java() {
        int feature = Runtime.version().feature();
        return new MachineCheck("Java is new enough", true, feature >= 17, "Java " + Runtime.version());
    }

    private MachineCheck program(String guarantee, boolean needed, String name) {
        String path = environment.getOrDefault("PATH", "");
        for (String folder : path.split(File.pathSeparator, -1)) {
            File file = new File(folder, name);
            if (file.canExecute()) {
                return new MachineCheck(guarantee, needed, true, file.getPath());
            }
        }
        return new MachineCheck(guarantee, needed, false, "no " + name + " on the PATH");
    }

    private static MachineCheck readable(String guarantee, boolean needed, String path) {
        boolean there = Files.isReadable(Path.of(path));
        return new MachineCheck(guarantee, needed, there, there ? path : path + " cannot be read");
    }

    private static MachineCheck natives() {
        String guarantee = "whole process groups can be signalled";
        try {
            return new MachineCheck(guarantee, true, Native.POINTER_SIZE > 0, "native calls work");
        } catch (LinkageError refused) {
            return new MachineCheck(guarantee, true, false, "native calls do not work: " + refused.getMessage());
        }
    }

    private static MachineCheck database() {
        String guarantee = "events are durable";
        try {
            return new MachineCheck(guarantee, true, true, "SQLite " + SqliteEventStore.version());
        } catch (StoreException refused) {
            return new MachineCheck(guarantee, true, false, refused.getMessage());
        }
    }

    private Path nearest() {
        Path path = dataFolder;
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    private MachineCheck writable() {
        Path nearest = nearest();
        boolean can = Files.isDirectory(nearest) && Files.isWritable(nearest);
        return new MachineCheck("the data folder can be written", true, can, dataFolder.toString());
    }

    private static MachineCheck names() {
        String encoding = System.getProperty("sun.jnu.encoding", "unknown");
        boolean any = encoding.equals(StandardCharsets.UTF_8.name());
        return new MachineCheck(
                "files of any name can be used",
                false,
                any,
                any ? encoding : "Java names files in " + encoding + "; set LC_ALL=C.UTF-8");
    }

    private MachineCheck local() {
        String guarantee = "the data folder has one owner";
        try {
            String type = Files.getFileStore(nearest()).type();
            return new MachineCheck(guarantee, true, !FAR.contains(type), "file system " + type);
        } catch (IOException unknown) {
            return new MachineCheck(guarantee, true, false, "its file system cannot be told");
        }
    }
}
