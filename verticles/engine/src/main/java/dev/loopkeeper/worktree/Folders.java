package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.run.RunId;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Locates, creates and removes the folders of worktrees in a data folder.
 *
 * @param data absolute
 */
record Folders(Path data) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*");

    /** The beginning of a word in the name of a class. */
    private static final Pattern WORD = Pattern.compile("[A-Z]");

    /** Returns the folder of a run. */
    Path run(String runId) {
        if (!RunId.isValid(runId)) {
            throw new IllegalArgumentException("not a run id: " + runId);
        }
        return runs().resolve(runId);
    }

    /** Returns the folder of all runs with links resolved, as git prints it. */
    private Path runs() {
        Path runs = RunPaths.runs(data);
        try {
            return runs.toRealPath();
        } catch (IOException gone) {
            return runs;
        }
    }

    /** Whether a path, as git prints it, belongs to a worktree of a run. */
    boolean isOfRuns(Path path) {
        return path.startsWith(runs()) || path.startsWith(RunPaths.runs(data));
    }

    /** Whether this worktree was created for the run. */
    boolean isOurs(String runId, Path folder) {
        String name = run(runId).relativize(folder).toString();
        return PLAIN.matcher(name).matches() && exists(ready(new WorktreeLocation(runId, folder, name, "")));
    }

    /** Returns the top folder of a worktree. */
    Path of(WorktreeLocation location) {
        return run(location.runId()).resolve(checked(location.folder()));
    }

    /** Returns the file that marks a complete worktree. */
    Path ready(WorktreeLocation location) {
        return beside(location, "ready");
    }

    /** Returns where a worktree is moved during its removal. */
    Path removed(WorktreeLocation location) {
        return beside(location, "removed");
    }

    /** Returns where a worktree with unsaved work is kept for a person after its registration was lost. */
    Path lost(WorktreeLocation location) {
        for (int number = 1; ; number++) {
            Path lost = beside(location, "lost-" + number);
            if (!exists(lost)) {
                return lost;
            }
        }
    }

    /** Returns the file that marks the removal of the run's refs. */
    Path deleting(String runId) {
        return run(runId).resolve(".refs.deleting");
    }

    private Path beside(WorktreeLocation location, String what) {
        return run(location.runId()).resolve("." + checked(location.folder()).replace('/', '.') + "." + what);
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

    /** Whether this is a file or link, and in no folder behind a link. */
    static boolean hasFile(Path folder, String name) {
        Path path = folder.resolve(name);
        try {
            Path parent = folder.toRealPath().resolve(name).getParent();
            return exists(path)
                    && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                    && path.getParent().toRealPath().equals(parent);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Whether the path certainly does not exist; false where that is unknown, as in a folder without permission. */
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

    /** Deletes a file or folder tree without following links; a missing path is no failure. */
    static void delete(Path path) {
        tried(path, () -> FolderRemoval.remove(path));
    }

    /** Deletes an empty folder; a missing folder is no failure. */
    static void deleteIfEmpty(Path folder) {
        tried(folder, () -> removeIfEmpty(folder));
    }

    /** Deletes the empty folders in it, and the folder itself; files that appear during that stay. */
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

    /** Lists a folder; empty where it is missing. Fails where that is unknown. */
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
            throw failure(folder, "read", refused);
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
            throw failure(path, "changed", refused);
        }
    }

    /** Builds the failure of an operation on a file, e.g. one that cannot be {@code read}. */
    static WorktreeException failure(Path path, String done, IOException cause) {
        return new WorktreeException(
                Problem.DISK,
                path + " cannot be " + done + ": " + reason(cause)
                        + "; check the owner and the permissions, and the free disk space");
    }

    /** Returns the cause without the name of a class, e.g. {@code access denied: /data/x}. */
    static String reason(IOException cause) {
        return cause instanceof FileSystemException refused && refused.getReason() == null
                ? WORD.matcher(cause.getClass().getSimpleName().replace("Exception", ""))
                                .replaceAll(" $0")
                                .strip()
                                .toLowerCase(Locale.ROOT)
                        + ": " + refused.getFile()
                : String.valueOf(cause.getMessage());
    }

    private interface Attempt {
        void make() throws IOException;
    }
}
