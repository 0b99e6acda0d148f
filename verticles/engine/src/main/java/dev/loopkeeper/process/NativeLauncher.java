package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The launcher as a small program for this machine's processor: the same notes as the script and a third of its programs.
 * Blocking, thread-safe.
 */
final class NativeLauncher {
    private static final Map<String, String> ARCHITECTURES =
            Map.of("amd64", "x86_64", "x86_64", "x86_64", "aarch64", "aarch64", "arm64", "aarch64");

    private final ProgramFile file;

    private NativeLauncher(ProgramFile file) {
        this.file = file;
    }

    /** The processor as the names of the programs have it; absent where there is no program for it. */
    static Optional<String> architecture() {
        return System.getProperty("os.name", "").equals("Linux")
                ? Optional.ofNullable(ARCHITECTURES.get(System.getProperty("os.arch", "")))
                : Optional.empty();
    }

    static String resource(String architecture) {
        return "launcher-" + architecture;
    }

    /** Absent where there is none for this machine. */
    static Optional<NativeLauncher> of(Path data) throws IOException {
        Optional<String> architecture = architecture();
        return architecture.isEmpty()
                ? Optional.empty()
                : Optional.of(new NativeLauncher(ProgramFile.program(data, resource(architecture.get()))));
    }

    /** The program, which is there and whole. */
    Path install() throws IOException {
        return file.install();
    }
}
