package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds processes of this machine by their visible properties. Blocking. */
final class MarkedProcesses {
    static final Path PROCESSES = Path.of("/proc");

    private MarkedProcesses() {}

    /** @param wanted tests the folder of a process below {@link #PROCESSES} */
    static List<ProcessHandle> find(Predicate<Path> wanted) {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                // The handle is created first: it refers to this process, not to a later one with its pid.
                ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                        .filter(any -> wanted.test(process))
                        .ifPresent(found::add);
            }
            return found;
        } catch (IOException unknown) {
            throw new WorktreeException(Problem.LOCKED, "the processes of this machine cannot be seen: " + unknown);
        }
    }

    /** Returns the value of an environment variable of the process; empty once the process has ended. */
    static Optional<String> variable(Path process, String name) {
        String begin = "\0" + name + "=";
        return text(process.resolve("environ"))
                .map(environment -> "\0" + environment + "\0")
                .filter(all -> all.contains(begin))
                .map(all -> all.substring(all.indexOf(begin) + begin.length()))
                .map(rest -> rest.substring(0, rest.indexOf('\0')));
    }

    static Optional<String> text(Path file) {
        try {
            return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        } catch (IOException goneOrNotOurs) {
            return Optional.empty();
        }
    }
}
