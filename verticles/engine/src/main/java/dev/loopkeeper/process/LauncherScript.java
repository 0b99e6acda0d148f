package dev.loopkeeper.process;

import dev.loopkeeper.submit.ProgramLookup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The launcher that needs a shell, for what the native one does not do or where it does not run. Blocking, thread-safe. */
final class LauncherScript {

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
    private static String searchPath() {
        return System.getenv().getOrDefault("PATH", "") + ":/usr/local/bin:/usr/bin:/bin";
    }

    /**
     * A Java process starts its children with SIGQUIT blocked, and passes on the signals that it ignores (SIGINT under
     * a shell's {@code &}, SIGHUP under nohup). A shell cannot undo that; GNU env can. Where it is another env, agents
     * live with what they inherit. The native launcher does it itself.
     */
    private static List<String> signalReset() throws IOException {
        List<String> reset = List.of(tool("env"), "--default-signal");
        return Probe.of(Stream.concat(reset.stream(), Stream.of("true")).toList())
                        .works()
                ? reset
                : List.of();
    }

    private static String tool(String name) {
        return found(name)
                .orElseThrow(() -> new LaunchException(
                        "cannot launch anything: " + name + " is not on the PATH; install util-linux"));
    }

    /** Returns a program on the runtime's own search path. */
    static Optional<String> found(String name) {
        Path here = Path.of("").toAbsolutePath();
        return new ProgramLookup(here, here, searchPath()).program(name).map(Path::toString);
    }
}
