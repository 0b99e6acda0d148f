package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.contract.worktree.WorktreePlace;
import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.run.RunId;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where worktrees lie in a data folder, and how their folders come and go. */
final class Folders {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*");

    private final Path data;

    /** @param data absolute */
    Folders(Path data) {
        this.data = data;
    }

    /** The folder of a run. */
    Path run(String runId) {
        if (!RunId.isValid(runId)) {
            throw new IllegalArgumentException("not a run id: " + runId);
        }
        return runs().resolve(runId);
    }

    /** As git spells it, which follows links. */
    private Path runs() {
        Path runs = RunPaths.runs(data);
        try {
            return runs.toRealPath();
        } catch (IOException gone) {
            return runs;
        }
    }

    /** Whether a path is, as git spells it, of a worktree of some run. */
    boolean isOfRuns(Path path) {
        return path.startsWith(runs()) || path.startsWith(RunPaths.runs(data));
    }

    /** Whether this is a worktree that was made for the run. */
    boolean isOurs(String runId, Path folder) {
        String name = run(runId).relativize(folder).toString();
        return PLAIN.matcher(name).matches() && exists(ready(new WorktreePlace(runId, folder, name, "")));
    }

    /** The top level of a worktree. */
    Path of(WorktreePlace place) {
        return run(place.runId()).resolve(checked(place.folder()));
    }

    /** A file that is there once the worktree was whole. */
    Path ready(WorktreePlace place) {
        return beside(place, "ready");
    }

    /** Where it lies while it is removed. */
    Path removed(WorktreePlace place) {
        return beside(place, "removed");
    }

    /** Where it lies for a person to look at, when its registration was lost while it held work. */
    Path lost(WorktreePlace place) {
        for (int number = 1; ; number++) {
            Path lost = beside(place, "lost-" + number);
            if (!exists(lost)) {
                return lost;
            }
        }
    }

    /** A file that is there while refs of the run are removed. */
    Path deleting(String runId) {
        return run(runId).resolve(".refs.deleting");
    }

    private Path beside(WorktreePlace place, String what) {
        return run(place.runId()).resolve("." + checked(place.folder()).replace('/', '.') + "." + what);
    }

    private static String checked(String folder) {
        if (!PLAIN.matcher(folder).matches() || folder.contains("..")) {
            throw new IllegalArgumentException("not the folder of a worktree: " + folder);
        }
        return folder;
    }

    static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Not where that is unknown, as in a folder without permission. */
    static boolean isKnownAbsent(Path path) {
        return Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
    }

    static void move(Path from, Path to) {
        tried(from, () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
    }

    static void touch(Path file) {
        tried(file, () -> {
            Files.createDirectories(file.getParent());
            Files.write(file, new byte[0]);
        });
    }

    static void make(Path folder) {
        tried(folder, () -> Files.createDirectories(folder));
    }

    /** Also a whole tree; links are not followed; what is not there is no failure. */
    static void delete(Path path) {
        if (!exists(path)) {
            return;
        }
        tried(path, () -> Files.walkFileTree(path, new Removal()));
    }

    /** Itself alone; what is not there is no failure. */
    static void deleteIfEmpty(Path folder) {
        tried(folder, () -> removeIfEmpty(folder));
    }

    /** The folders in it that hold nothing, and it itself; what is written there meanwhile is left. */
    static void deleteEmpty(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        tried(folder, () -> {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                        removeIfEmpty(each);
                    }
                }
            }
        });
    }

    /** What lies in a folder; nothing where there is none. Fails where that is unknown. */
    static List<Path> list(Path folder) {
        try {
            if (!Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isDirectory()) {
                return List.of();
            }
            try (Stream<Path> all = Files.list(folder)) {
                return all.toList();
            }
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException refused) {
            throw new WorktreeException(Problem.DISK, folder + " cannot be read: " + refused);
        }
    }

    private static void removeIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException inUse) {
            return;
        }
    }

    private static void tried(Path path, Attempt attempt) {
        try {
            attempt.make();
        } catch (IOException refused) {
            throw new WorktreeException(Problem.DISK, path + " cannot be changed: " + refused);
        }
    }

    private interface Attempt {
        void make() throws IOException;
    }

    /** Packages are often write-protected against accidents. */
    private static final class Removal extends FolderRemoval {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes facts) throws IOException {
            if (!Files.isWritable(folder) && !folder.toFile().setWritable(true)) {
                throw new IOException(folder + " is write-protected");
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
