package dev.loopkeeper.retention;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.data.RunPaths;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Removes what agents printed. The notes beside the logs stay, and so do logs that were written to later, as by a
 * resume. Blocking.
 */
final class LogRetention {
    private static final List<String> STREAMS = List.of("stdout", "stderr");

    private final Path data;

    LogRetention(Path data) {
        this.data = data;
    }

    /** Removes the logs of a run's steps that nobody has written to since then; answers how many went. */
    int remove(String runId, Instant before) throws IOException {
        int removed = 0;
        try (DirectoryStream<Path> steps = Files.newDirectoryStream(RunPaths.steps(data, runId))) {
            for (Path step : steps) {
                for (String stream : STREAMS) {
                    removed += old(step, stream, before) && new LogFile(step, stream).remove() ? 1 : 0;
                }
            }
        } catch (NoSuchFileException nothingLaunched) {
            return 0;
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        return removed;
    }

    private static boolean old(Path step, String stream, Instant before) throws IOException {
        Path log = step.resolve(stream + ".log");
        return Files.exists(log) && Files.getLastModifiedTime(log).toInstant().isBefore(before);
    }
}
