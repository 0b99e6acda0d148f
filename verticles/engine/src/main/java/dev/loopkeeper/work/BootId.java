package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Which start of which machine this is: what has another one was written on another machine, or before a restart of this. */
public final class BootId {
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** Of this start, e.g. {@code 1f6a8a2e-...}; empty where the system has none. The kernel answers without a disk. */
    public static Optional<String> current() {
        try {
            return Optional.of(Files.readString(FILE, StandardCharsets.US_ASCII).strip());
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
