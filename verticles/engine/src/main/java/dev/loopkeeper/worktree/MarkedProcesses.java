package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.git.GitProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds and ends processes of this machine by their visible properties. Blocking. */
final class MarkedProcesses {
    static final Path PROCESSES = Path.of("/proc");

    private static final Logger LOG = LoggerFactory.getLogger(MarkedProcesses.class);
    /**
     * Interval between checks. The end of a process that is not our child sends no notification, and a file watch would
     * miss a git that ends without removing its lock.
     */
    private static final int CHECK_INTERVAL_MILLIS = 20;

    private MarkedProcesses() {}

    /**
     * Ends these processes and their children, until there are none. Fails with {@link Problem#LOCKED} when one cannot be
     * ended.
     *
     * @param what each of them is, e.g. {@code a git of an earlier runtime}
     */
    static void end(Predicate<Path> wanted, String what, Duration patience) {
        long start = System.nanoTime();
        Set<Long> logged = new HashSet<>();
        for (List<ProcessHandle> found = find(wanted); !found.isEmpty(); found = find(wanted)) {
            for (ProcessHandle process : found) {
                if (logged.add(process.pid())) {
                    LOG.info("{} is ended; its pid is {}", what, process.pid());
                }
                GitProgram.kill(process);
            }
            await(
                    start,
                    patience,
                    what + " cannot be ended; its pid is " + found.get(0).pid());
        }
    }

    /**
     * Waits until the next check. Fails with {@link Problem#LOCKED} when that is too long after the first.
     *
     * @param start time of the first check
     */
    static void await(long start, Duration patience, String failure) {
        if (System.nanoTime() - start > patience.toNanos()) {
            throw new WorktreeException(Problem.LOCKED, failure);
        }
        try {
            TimeUnit.MILLISECONDS.sleep(CHECK_INTERVAL_MILLIS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new WorktreeException(Problem.TIMED_OUT, "interrupted");
        }
    }

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
            throw new WorktreeException(
                    Problem.LOCKED, "the processes of this machine cannot be seen: " + Folders.reason(unknown));
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
