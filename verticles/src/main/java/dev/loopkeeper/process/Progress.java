package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * When anything of a step last moved: its output, its signal file, its workspace. Goes by the change time of the
 * inode, which no program can set. Blocking.
 *
 * @param files looked at themselves
 * @param ignored a part of the workspace in which Loopkeeper itself writes
 * @param workspace looked at with what is in it, breadth first, at most {@value #MOST_ENTRIES} entries
 */
record Progress(List<Path> files, Path workspace, Path ignored) {
    private static final int MOST_ENTRIES = 10_000;

    static Progress of(StepOrder order, StepFolder folder, Path data) {
        Path workspace = Path.of(order.workspace());
        Path signal = order.signalFile().isEmpty() ? workspace : Path.of(order.signalFile());
        return new Progress(List.of(folder.stdout(), folder.stderr(), signal), workspace, data);
    }

    /** The latest change; the epoch when nothing is there. */
    Instant lastChange() {
        Instant latest = Instant.EPOCH;
        for (Path file : files) {
            latest = later(latest, file);
        }
        Deque<Path> folders = new ArrayDeque<>(List.of(workspace));
        int seen = 0;
        while (!folders.isEmpty() && seen < MOST_ENTRIES) {
            Path folder = folders.remove();
            latest = later(latest, folder);
            for (Path entry : entries(folder, MOST_ENTRIES - seen)) {
                seen++;
                latest = later(latest, entry);
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    folders.add(entry);
                }
            }
        }
        return latest;
    }

    private List<Path> entries(Path folder, int most) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (entry.equals(ignored)) {
                    continue;
                }
                if (found.size() >= most) {
                    break;
                }
                found.add(entry);
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return found;
        }
        return found;
    }

    private static Instant later(Instant known, Path file) {
        try {
            Object changed = Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
            Instant at = ((FileTime) changed).toInstant();
            return at.isAfter(known) ? at : known;
        } catch (IOException | UnsupportedOperationException unknown) {
            return known;
        }
    }
}
