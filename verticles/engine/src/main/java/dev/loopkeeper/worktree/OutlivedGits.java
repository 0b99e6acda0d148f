package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.step.Sha256;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends git processes that survived a killed runtime. If one continued beside the same command of this runtime, it could
 * commit the new changes. All commands can be interrupted safely, so survivors are ended before our first command. A
 * mark in the environment identifies the runtime of each call; git processes of agents have none.
 */
final class OutlivedGits {
    /**
     * Variable that identifies the runtime: its pid, its start in ticks since the boot, and a hash of the data folder.
     */
    static final String VARIABLE = "LOOPKEEPER_GIT_OF";

    private static final Logger LOG = LoggerFactory.getLogger(OutlivedGits.class);
    private static final int START = 19;

    private final String folder;
    private final Duration patience;
    private boolean ended;

    OutlivedGits(Path data, Duration patience) {
        this.folder = Sha256.hex(data.toString().getBytes(StandardCharsets.UTF_8));
        this.patience = patience;
    }

    /** Returns the environment that marks each call. */
    Map<String, String> mark() {
        return mark(ProcessHandle.current().pid());
    }

    Map<String, String> mark(long runtime) {
        return Map.of(VARIABLE, runtime + " " + start(runtime).orElse("") + " " + folder);
    }

    /** Ends the survivors, once. Fails with {@link Problem#LOCKED} when one cannot be ended. */
    synchronized void end() {
        long until = System.nanoTime() + patience.toNanos();
        while (!ended) {
            List<ProcessHandle> found = MarkedProcesses.find(process -> isGit(process) && isOutlived(process));
            for (ProcessHandle git : found) {
                LOG.info("the git with the pid {} outlived its runtime, and is ended", git.pid());
                List<ProcessHandle> begun = git.descendants().toList();
                git.destroyForcibly();
                begun.forEach(ProcessHandle::destroyForcibly);
                await(git, until);
            }
            ended = found.isEmpty();
        }
    }

    private static void await(ProcessHandle git, long until) {
        try {
            git.onExit().get(Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new WorktreeException(Problem.TIMED_OUT, "interrupted");
        } catch (TimeoutException | ExecutionException | CancellationException stays) {
            throw new WorktreeException(
                    Problem.LOCKED, "a git of an earlier runtime cannot be ended; its pid is " + git.pid());
        }
    }

    /** Whether the process is a git or a file copy of ours; processes started by hooks are left alone. */
    private static boolean isGit(Path process) {
        return MarkedProcesses.text(process.resolve("comm"))
                .filter(name -> name.startsWith("git") || name.strip().equals("cp"))
                .isPresent();
    }

    private boolean isOutlived(Path process) {
        return MarkedProcesses.variable(process, VARIABLE).filter(this::isGone).isPresent();
    }

    private boolean isGone(String owner) {
        String[] parts = owner.split(" ", -1);
        if (parts.length != 3 || !parts[2].equals(folder) || !parts[0].matches("\\d{1,18}")) {
            return false;
        }
        return start(Long.parseLong(parts[0])).filter(parts[1]::equals).isEmpty();
    }

    /** Returns the start of a process; empty for a missing process or a zombie. */
    private static Optional<String> start(long pid) {
        return MarkedProcesses.text(
                        MarkedProcesses.PROCESSES.resolve(Long.toString(pid)).resolve("stat"))
                .map(stat -> stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1))
                .filter(fields -> fields.length > START && !fields[0].equals("Z"))
                .map(fields -> fields[START]);
    }
}
