package dev.loopkeeper.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The launcher as a small program for this machine's processor: it starts a third as many programs as the script. */
final class NativeLauncher {
    private static final Map<String, String> ARCHITECTURES =
            Map.of("amd64", "x86_64", "x86_64", "x86_64", "aarch64", "aarch64", "arm64", "aarch64");

    private NativeLauncher() {}

    /** Returns the processor as the names of the programs have it; empty where there is no program for it. */
    static Optional<String> architecture() {
        return System.getProperty("os.name", "").equals("Linux")
                ? Optional.ofNullable(ARCHITECTURES.get(System.getProperty("os.arch", "")))
                : Optional.empty();
    }

    static String resource(String architecture) {
        return "launcher-" + architecture;
    }

    /** Returns the program; empty where there is none for this machine. Blocking. */
    static Optional<ProgramFile> of(Path data) throws IOException {
        Optional<String> architecture = architecture();
        return architecture.isEmpty()
                ? Optional.empty()
                : Optional.of(ProgramFile.program(data, resource(architecture.get())));
    }
}
