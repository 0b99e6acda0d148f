package dev.loopkeeper.process;

import dev.loopkeeper.data.FileId;
import dev.loopkeeper.data.LockedFiles;
import dev.loopkeeper.data.LogFile;
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
 * Finds the last change of a step's output, signal file or workspace, by the change time of inodes, which programs
 * cannot set. Opens only the step's logs. Blocking, one call at a time.
 *
 * @param logs output of the agent; its own retries are not changes
 * @param files checked without their content
 * @param workspace checked with all its content: an agent that works in an omitted part would seem idle
 * @param data the data folder; ignored under any name that leads to it
 */
record Progress(Map<Path, OutputNews> logs, List<Path> files, Path workspace, Path data) {
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;

    private record Facts(FileId id, boolean folder, Instant changed) {}

    static Progress of(StepOrder order, StepFolder folder, Path data) {
        Path workspace = Path.of(order.program().workspace());
        Path signal = order.program().signalFile().isEmpty()
                ? workspace
                : Path.of(order.program().signalFile());
        Map<Path, OutputNews> logs = Map.of(
                folder.stdout(),
                        new OutputNews(
                                new LogFile(folder.path(), "stdout"),
                                order.program().output()),
                folder.stderr(),
                        new OutputNews(
                                new LogFile(folder.path(), "stderr"),
                                order.program().output()));
        return new Progress(logs, List.of(signal), workspace, data);
    }

    /** Returns the latest change; the epoch without any file. Fails when the machine fails. */
    Instant lastChange() throws IOException {
        Set<FileId> ours = new HashSet<>(LockedFiles.ids());
        FileId.of(data).ifPresent(ours::add);
        Instant latest = Instant.EPOCH;
        for (Map.Entry<Path, OutputNews> log : logs.entrySet()) {
            Instant news = log.getValue().lastNews(later(Instant.EPOCH, log.getKey()));
            latest = news.isAfter(latest) ? news : latest;
        }
        for (Path file : files) {
            latest = later(latest, file);
        }
        // Also through a link: removed files change only the folder itself.
        latest = later(latest, workspace.resolve("."));
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

    private static Instant later(Instant known, Path file) throws IOException {
        Facts facts = facts(file);
        return facts != null && facts.changed().isAfter(known) ? facts.changed() : known;
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
