package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The name of this machine, without asking the network. */
public final class HostName {
    private static final Path KNOWN = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /** As Linux has it, else by {@code HOSTNAME} of this environment; empty where neither knows it. */
    public static String of(Map<String, String> environment) {
        try {
            return Files.readString(KNOWN).strip();
        } catch (IOException unknown) {
            return environment.getOrDefault("HOSTNAME", "");
        }
    }
}
