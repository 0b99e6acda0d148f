package dev.loopkeeper.process;

import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.step.Sha256;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The launcher as a file of the data folder, named by its content: an upgrade never changes a script that a running
 * shell still reads. Blocking, thread-safe.
 */
final class LauncherScript {
    private static final String RESOURCE = "launcher.sh";
    private static final int NAME_LENGTH = 16;
    private static final long PROBE_SECONDS = 5;

    private final Path folder;
    private List<String> prefix;

    LauncherScript(Path data) {
        this.folder = data.resolve("launcher");
    }

    /** The words to put before the script's own arguments, which give it a session of its own and clean signals. */
    synchronized List<String> words() throws IOException {
        if (prefix == null) {
            List<String> found = new ArrayList<>();
            found.add(tool("setsid"));
            // A program less: each costs half a millisecond.
            found.addAll(CleanSignals.suffice() ? List.of() : signalReset());
            found.add("/bin/sh");
            prefix = List.copyOf(found);
        }
        List<String> words = new ArrayList<>(prefix);
        words.add(install().toString());
        return words;
    }

    /**
     * The runtime's own search path: the agent's may lack the tools that the script needs. The folder of most of them
     * comes first, since each folder that is tried in vain costs an execution that fails.
     */
    static String toolPath() {
        return Path.of(tool("setsid")).getParent() + ":" + searchPath();
    }

    private static String searchPath() {
        return System.getenv().getOrDefault("PATH", "") + ":/usr/local/bin:/usr/bin:/bin";
    }

    /**
     * A Java process starts its children with SIGQUIT blocked, and hands down what it was told to ignore (SIGINT under
     * a shell's {@code &}, SIGHUP under nohup). A shell cannot undo that; GNU env can. Where it is another env, agents
     * live with what they inherit. Not needed where {@link CleanSignals} suffice.
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

    /** Every time: one that was damaged or removed would launch nothing and blame the step's folder. */
    private Path install() throws IOException {
        byte[] content = content();
        Path script = folder.resolve("launcher-" + Sha256.hex(content).substring(0, NAME_LENGTH) + ".sh");
        if (!holds(script, content)) {
            Files.createDirectories(folder);
            Path draft = Files.createTempFile(folder, "launcher", ".tmp");
            Files.write(draft, content);
            AtomicFile.publish(draft, script);
        }
        return script;
    }

    private static boolean holds(Path script, byte[] content) throws IOException {
        return Files.isRegularFile(script) && Arrays.equals(Files.readAllBytes(script), content);
    }

    private static byte[] content() throws IOException {
        try (InputStream script = LauncherScript.class.getResourceAsStream(RESOURCE)) {
            if (script == null) {
                throw new IOException("resource " + RESOURCE + " is missing");
            }
            return script.readAllBytes();
        }
    }
}
