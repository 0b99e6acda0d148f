package dev.loopkeeper.cli.command.admin;

import com.sun.jna.Native;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.git.GitVersion;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks this machine; leaves no files behind. */
record MachineChecks(Path dataFolder, Map<String, String> environment) {
    private static final Set<String> FAR = Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs");

    private static final String EXECUTABLE =
            "set LOOPKEEPER_JAVA_OPTS=-Djava.io.tmpdir=DIR with a folder of this user on a"
                    + " file system without noexec";

    List<MachineCheck> all() {
        return List.of(
                java().orElse("install a JDK 17 or newer, or set JAVA_HOME to one"),
                program("each step has a session of its own", "setsid").orElse("install util-linux"),
                processes().orElse("mount /proc without hidepid"),
                natives().orElse(EXECUTABLE),
                LauncherCheck.in(nearest())
                        .orElse("agents start more slowly; with --data name a folder on a file system without noexec"),
                database().orElse(EXECUTABLE),
                writable().orElse("change the owner of the folder, or name another with --data"),
                notReadable().orElse("chmod 700 " + dataFolder),
                local().orElse("with --data name a folder on a local disk"),
                names().orElse("set LC_ALL=C.UTF-8"),
                worktrees().orElse("install git 2.38 or newer"));
    }

    private static MachineCheck java() {
        int feature = Runtime.version().feature();
        return MachineCheck.required("Java is new enough", feature >= 17, "Java " + Runtime.version());
    }

    private MachineCheck program(String guarantee, String name) {
        return Console.onPath(name, environment)
                .map(found -> MachineCheck.required(guarantee, true, found.toString()))
                .orElseGet(() -> MachineCheck.required(guarantee, false, "no " + name + " on the PATH"));
    }

    private static MachineCheck processes() {
        String path = "/proc/self/stat";
        boolean there = Files.isReadable(Path.of(path));
        return MachineCheck.required("every process of a run is found", there, there ? path : path + " cannot be read");
    }

    private static MachineCheck natives() {
        String guarantee = "whole process groups can be signalled";
        try {
            return MachineCheck.required(guarantee, Native.POINTER_SIZE > 0, "native calls work");
        } catch (LinkageError refused) {
            return MachineCheck.required(guarantee, false, "native calls do not work: " + refused.getMessage());
        }
    }

    private static MachineCheck database() {
        String guarantee = "events are durable";
        try {
            return MachineCheck.required(guarantee, true, "SQLite " + SqliteEventStore.version());
        } catch (StoreException refused) {
            return MachineCheck.required(guarantee, false, refused.getMessage());
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
        return MachineCheck.required("the data folder can be written", can, dataFolder.toString());
    }

    private MachineCheck notReadable() {
        String guarantee = "the data folder is not readable by others";
        try {
            boolean open = Files.exists(dataFolder) && new DataFolder(dataFolder).isOpenToOthers();
            return MachineCheck.required(guarantee, !open, open ? "other users may enter it" : dataFolder.toString());
        } catch (IOException unknown) {
            return MachineCheck.required(guarantee, false, "its rights are unknown: " + unknown);
        }
    }

    private static MachineCheck names() {
        String encoding = System.getProperty("sun.jnu.encoding", "unknown");
        boolean any = encoding.equals(StandardCharsets.UTF_8.name());
        return MachineCheck.useful(
                "files of any name can be used", any, any ? encoding : "Java names files in " + encoding);
    }

    private MachineCheck worktrees() {
        String guarantee = "runs can have git worktrees of their own";
        try {
            GitVersion version = GitVersion.of(new GitProgram("git"), nearest());
            String found = version.isEnough()
                    ? version.text()
                            + "; in a worktree submodules are empty at first, filters of git-lfs run,"
                            + " and a sparse checkout is sparse"
                    : version.text();
            return MachineCheck.useful(guarantee, version.isEnough(), found);
        } catch (GitException absent) {
            return MachineCheck.useful(guarantee, false, absent.getMessage());
        }
    }

    private MachineCheck local() {
        String guarantee = "the data folder has one owner";
        try {
            String type = Files.getFileStore(nearest()).type();
            return MachineCheck.required(guarantee, !FAR.contains(type), "file system " + type);
        } catch (IOException unknown) {
            return MachineCheck.required(guarantee, false, "its file system is unknown");
        }
    }
}
