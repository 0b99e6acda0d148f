package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.SetUpWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import dev.loopkeeper.step.Wording;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the setup command of new worktrees. The ready mark of a worktree is empty until its setup has succeeded, so a setup
 * that was cut short runs again. Blocking.
 */
final class Setups {
    private static final Logger LOG = LoggerFactory.getLogger(Setups.class);
    private static final GitProgram SHELL = new GitProgram("sh");
    /** Sends all output to the log while the command runs. */
    private static final String LOGGED = "exec \"$@\" >>\"$0\" 2>&1";

    private static final int LAST_BYTES = 2_000;
    private static final int LAST_LINES = 10;
    private static final int MOST_BYTES = 16 << 20;
    private static final int KEPT_BYTES = 1 << 20;
    private static final String DROPPED = "[earlier output was dropped]\n";

    private final Folders folders;
    private final Map<String, String> mark;
    private final RunningGits running;
    private final Set<Path> growing = ConcurrentHashMap.newKeySet();

    /** @param mark environment of each call, see {@link OrphanedGit} */
    Setups(Folders folders, Map<String, String> mark, RunningGits running) {
        this.folders = folders;
        this.mark = mark;
        this.running = running;
    }

    void setUp(SetUpWorktree command) {
        Path ready = folders.ready(command.location());
        Path log = log(command.location());
        try {
            if (Files.size(ready) > 0) {
                return;
            }
            OwnerOnly.write(log, "");
            growing.add(log);
            try {
                run(command, log);
            } finally {
                growing.remove(log);
                hold(log);
            }
            Files.writeString(ready, "set up\n");
        } catch (IOException refused) {
            throw Folders.failure(log, "written", refused);
        }
    }

    /** The worktree of the run has {@code setup.log}, one of an item a log with its name. */
    private Path log(WorktreeLocation location) {
        String name = location.folder().substring(location.folder().lastIndexOf('/') + 1);
        return folders.run(location.runId())
                .resolve(name.equals(location.folder()) ? "setup.log" : "setup." + name + ".log");
    }

    private void run(SetUpWorktree command, Path log) throws IOException {
        List<String> words = command.setup().command().argv();
        String name = Wording.quoted(String.join(" ", words));
        try {
            GitAnswer answer = running.ask(call(command, words, log), SHELL);
            if (!answer.isGood()) {
                throw failed(name + " ended with " + answer.exit(), log);
            }
        } catch (GitException unended) {
            throw failed(
                    unended.isLate()
                            ? name + " did not end within "
                                    + command.setup().timeout().toMillis() + " ms and was ended"
                            : unended.getMessage(),
                    log);
        }
    }

    /** Drops all but the end of large logs of running setups. */
    void holdLogs() {
        for (Path log : growing) {
            try {
                hold(log);
            } catch (IOException failure) {
                LOG.warn("the log of a setup could not be limited: {}", failure.toString());
            }
        }
    }

    private static void hold(Path log) throws IOException {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() > MOST_BYTES) {
                byte[] end = OwnerOnly.readAll(file, file.size() - KEPT_BYTES, KEPT_BYTES);
                // The setup appends, so it continues at the new end.
                OwnerOnly.writeAll(file.truncate(0), DROPPED.getBytes(StandardCharsets.UTF_8));
                OwnerOnly.writeAll(file, end);
            }
        }
    }

    private GitCall call(SetUpWorktree command, List<String> words, Path log) {
        Map<String, String> environment = new HashMap<>(command.env());
        environment.putAll(mark);
        List<String> all = new ArrayList<>(List.of("-c", LOGGED, log.toString(), "env", "-u", "GIT_CONFIG_COUNT"));
        if (!command.env().containsKey("LC_ALL")) {
            all.addAll(List.of("-u", "LC_ALL"));
        }
        all.addAll(command.sandbox());
        all.addAll(words);
        return GitCall.in(folders.of(command.location()).resolve(command.prefix()), all.toArray(String[]::new))
                .with(environment)
                .within(command.setup().timeout())
                .hooks(true);
    }

    private static WorktreeException failed(String what, Path log) throws IOException {
        String last = lastLines(log);
        return new WorktreeException(
                Problem.SETUP_FAILED,
                "isolation.setup failed: " + what
                        + (last.isEmpty()
                                ? "; it printed nothing"
                                : "; its output is in " + log + "; its last lines:\n" + last));
    }

    private static String lastLines(Path log) throws IOException {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ)) {
            byte[] end = OwnerOnly.readAll(file, Math.max(0, file.size() - LAST_BYTES), LAST_BYTES);
            String[] lines = new String(end, StandardCharsets.UTF_8).strip().split("\n", -1);
            return String.join(
                    "\n", Arrays.asList(lines).subList(Math.max(0, lines.length - LAST_LINES), lines.length));
        }
    }
}
