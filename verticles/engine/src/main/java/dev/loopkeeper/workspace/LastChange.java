package dev.loopkeeper.workspace;

import dev.loopkeeper.data.FileId;
import dev.loopkeeper.data.LockedFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the last change of files by the change time of inodes, which programs cannot set. Opens no file. Blocking; fails
 * when the machine fails.
 */
public final class LastChange {
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;

    private record Facts(FileId id, boolean folder, Instant changed) {}

    private LastChange() {}

    /** Returns the last change of a file; the epoch if it does not exist. */
    public static Instant of(Path file) throws IOException {
        Facts facts = facts(file);
        return facts == null ? Instant.EPOCH : facts.changed();
    }

    /**
     * Returns the last change in a workspace with all its content.
     *
     * @param data the data folder; ignored under any name that leads to it
     */
    public static Instant in(Path workspace, Path data) throws IOException {
        Set<FileId> ours = new HashSet<>(LockedFiles.ids());
        FileId.of(data).ifPresent(ours::add);
        // Also through a link: removed files change only the folder itself.
        Instant latest = of(workspace.resolve("."));
        Deque<Path> folders = new ArrayDeque<>(List.of(workspace));
        while (!folders.isEmpty()) {
            for (Path entry : entries(folders.remove())) {
                Facts facts = facts(entry);
                if (facts == null || ours.contains(facts.id())) {
                    continue;
                }
                latest = facts.changed().isAfter(latest) ? facts.changed() : latest;
                if (facts.folder()) {
                    folders.add(entry);
                }
            }
        }
        return latest;
    }

    private static List<Path> entries(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException | NotDirectoryException | AccessDeniedException gone) {
            return found;
        } catch (DirectoryIteratorException broken) {
            throw broken.getCause();
        }
        return found;
    }

    /** Returns null where it is gone or access is denied. */
    private static Facts facts(Path file) throws IOException {
        try {
            Map<String, Object> known =
                    Files.readAttributes(file, "unix:mode,dev,ino,ctime", LinkOption.NOFOLLOW_LINKS);
            return new Facts(
                    new FileId((long) known.get("dev"), (long) known.get("ino")),
                    ((int) known.get("mode") & TYPE) == FOLDER,
                    ((FileTime) known.get("ctime")).toInstant());
        } catch (NoSuchFileException | AccessDeniedException | UnsupportedOperationException gone) {
            return null;
        } catch (IOException failure) {
            // A file in place of a folder of its path, or a loop of links, is not transient.
            if (Files.isDirectory(file.toAbsolutePath().getParent())) {
                throw failure;
            }
            return null;
        }
    }
}
