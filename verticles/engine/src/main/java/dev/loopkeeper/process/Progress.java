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
 * When anything of a step last moved: its output, its signal file, its workspace. Goes by the change time of the
 * inode, which no program can set. Opens no file but the step's logs. Blocking, one look at a time.
 *
 * @param logs what the agent prints; an agent that only tells that it tries again does not move
 * @param files looked at themselves
 * @param workspace looked at with all that is in it: a part left out would make a working agent look idle
 * @param data where Loopkeeper itself writes, which is left out by whatever name it is found in the workspace
 */
record Progress(Map<Path, OutputNews> logs, List<Path> files, Path workspace, Path data) {
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;

    private record Facts(FileId id, boolean folder, Instant changed) {}

    static Progress of(StepOrder order, StepFolder folder, Path data) {
        Path workspace = Path.of(order.workspace());
        Path signal = order.signalFile().isEmpty() ? workspace : Path.of(order.signalFile());
        Map<Path, OutputNews> logs = Map.of(
                folder.stdout(), new OutputNews(new LogFile(folder.path(), "stdout"), order.output()),
                folder.stderr(), new OutputNews(new LogFile(folder.path(), "stderr"), order.output()));
        return new Progress(logs, List.of(signal), workspace, data);
    }

    /** The latest change; the epoch when nothing is there. Fails when the machine is in trouble. */
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
        // Through a link, for what is removed from the folder is told by the folder alone.
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

    /** Null where it is gone or may not be looked at. */
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
        } catch (IOException trouble) {
            // A folder of its path that is none, or a ring of links, is no trouble that passes.
            if (Files.isDirectory(file.toAbsolutePath().getParent())) {
                throw trouble;
            }
            return null;
        }
    }
}
