package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.step.Sha256;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Ends git processes that survived a killed runtime, and what they started. If one continued beside the same command of
 * this runtime, it could commit the new changes. All commands can be interrupted safely, so survivors are ended before our
 * first command. A mark in the environment identifies the runtime of each call; git processes of agents have none.
 */
final class OrphanedGit {
    /**
     * Variable that identifies the runtime: its pid, its start in ticks since the boot, and a hash of the data folder.
     */
    static final String VARIABLE = "LOOPKEEPER_GIT_OF";

    private static final int START = 19;

    private final String folder;
    private final Duration patience;
    private boolean ended;

    OrphanedGit(Path data, Duration patience) {
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
        if (!ended) {
            MarkedProcesses.end(this::isOrphaned, "a git process of an earlier runtime", patience);
            ended = true;
        }
    }

    private boolean isOrphaned(Path process) {
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
