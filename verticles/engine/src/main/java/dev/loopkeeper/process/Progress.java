package dev.loopkeeper.process;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.workspace.LastChange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

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
        Instant latest = LastChange.in(workspace, data);
        for (Map.Entry<Path, OutputNews> log : logs.entrySet()) {
            latest = later(latest, log.getValue().lastNews(LastChange.of(log.getKey())));
        }
        for (Path file : files) {
            latest = later(latest, LastChange.of(file));
        }
        return latest;
    }

    private static Instant later(Instant one, Instant other) {
        return other.isAfter(one) ? other : one;
    }
}
