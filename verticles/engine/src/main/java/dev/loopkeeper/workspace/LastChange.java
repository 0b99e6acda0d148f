package dev.loopkeeper.workspace;

import dev.loopkeeper.data.FileId;
import dev.loopkeeper.data.LockedFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the last change of files by the change time of inodes, which programs cannot set. Opens no file. Blocking; fails
 * when the machine fails.
 */
public final class LastChange {
    private LastChange() {}

    /** Returns the last change of a file; the epoch if it does not exist. */
    public static Instant of(Path file) throws IOException {
        FileFacts facts = facts(file);
        return facts == null ? Instant.EPOCH : facts.changedAt();
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
                FileFacts facts = facts(entry);
                if (facts == null || ours.contains(facts.id())) {
                    continue;
                }
                latest = facts.changedAt().isAfter(latest) ? facts.changedAt() : latest;
                if (facts.isFolder()) {
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
    private static FileFacts facts(Path file) throws IOException {
        try {
            return FileFacts.of(file);
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
