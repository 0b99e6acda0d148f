package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Identifies the current boot of this machine; another id belongs to another machine or an earlier boot. */
public final class BootId {
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /**
     * Returns the id of this boot, e.g. {@code 1f6a8a2e-...}; empty if the system has none. The kernel answers without
     * a disk.
     */
    public static Optional<String> current() {
        try {
            return Optional.of(Files.readString(FILE, StandardCharsets.US_ASCII).strip());
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
