package dev.loopkeeper.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The launcher that needs a shell, for what the native one does not do or where it does not run. Blocking, thread-safe. */
final class LauncherScript {
    private static final long PROBE_SECONDS = 5;

    private final Path data;
    private Optional<ProgramFile> file = Optional.empty();
    private List<String> prefix;

    LauncherScript(Path data) {
        this.data = data;
    }

    /** The words to put before the script's own arguments, which give it a session of its own and clean signals. */
    synchronized List<String> words() throws IOException {
        if (prefix == null) {
            List<String> found = new ArrayList<>();
            found.add(tool("setsid"));
            found.addAll(signalReset());
            found.add("/bin/sh");
            prefix = List.copyOf(found);
        }
        List<String> words = new ArrayList<>(prefix);
        if (file.isEmpty()) {
            file = Optional.of(ProgramFile.script(data, "launcher.sh"));
        }
        words.add(file.get().install().toString());
        return words;
    }

    /**
     * The runtime's own search path: the agent's may lack the tools that the script needs. The folder of most of them
     * comes first, since each folder that is tried in vain costs an execution that fails.
     */
    static String toolPath() {
        return Path.of(tool("setsid")).getParent() + ":" + searchPath();
    }

    /** The runtime's own, not that of agents. */
    static String searchPath() {
        return System.getenv().getOrDefault("PATH", "") + ":/usr/local/bin:/usr/bin:/bin";
    }

    /**
     * A Java process starts its children with SIGQUIT blocked, and passes on the signals that it ignores (SIGINT under
     * a shell's {@code &}, SIGHUP under nohup). A shell cannot undo that; GNU env can. Where it is another env, agents
     * live with what they inherit. The native launcher does it itself.
     */
    private static List<String> signalReset() throws IOException {
        List<String> reset = List.of(tool("env"), "--default-signal");
        List<String> probe = new ArrayList<>(reset);
        probe.add("true");
        Process process = new ProcessBuilder(probe)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            boolean works = process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            return works ? reset : List.of();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static String tool(String name) {
        for (String entry : searchPath().split(File.pathSeparator, -1)) {
            Path candidate = Path.of(entry.isEmpty() ? "." : entry, name);
            if (Files.isExecutable(candidate)) {
                return candidate.toAbsolutePath().toString();
            }
        }
        throw new LaunchException("cannot launch anything: " + name + " is not on the PATH; install util-linux");
    }
}
