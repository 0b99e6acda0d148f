package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The umask of this process, which Java does not report. */
public final class OwnUmask {
    private static final String KEY = "Umask:";

    private OwnUmask() {}

    /** Returns it in octal, e.g. {@code 0022}; empty where the kernel does not report it. */
    public static Optional<String> read() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(KEY))
                    .map(line -> line.substring(KEY.length()).strip())
                    .findFirst();
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
