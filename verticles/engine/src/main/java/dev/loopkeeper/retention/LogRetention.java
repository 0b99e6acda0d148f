package dev.loopkeeper.retention;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.data.StepFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Removes old logs of agents, and the contexts of their launches. Other files of a step stay, and so do logs that were
 * written to later, as by a resume. Blocking.
 */
record LogRetention(Path data) {
    private static final List<String> STREAMS = List.of("stdout", "stderr");

    /** Removes the logs of a run's steps that were last written to before this time; returns how many. */
    int remove(String runId, Instant before) throws IOException {
        int removed = 0;
        try (DirectoryStream<Path> steps = Files.newDirectoryStream(RunPaths.steps(data, runId))) {
            for (Path step : steps) {
                for (String stream : STREAMS) {
                    removed += old(step.resolve(stream + ".log"), before) && new LogFile(step, stream).remove() ? 1 : 0;
                }
                removeContext(step, before);
            }
        } catch (NoSuchFileException nothingLaunched) {
            return 0;
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        return removed;
    }

    /** Removes the context of a launch, which can be derived from the run's events. */
    private static void removeContext(Path step, Instant before) throws IOException {
        Path context = step.resolve(StepFiles.CONTEXT);
        if (old(context, before)) {
            Files.deleteIfExists(context);
        }
    }

    private static boolean old(Path file, Instant before) throws IOException {
        return Files.exists(file) && Files.getLastModifiedTime(file).toInstant().isBefore(before);
    }
}
