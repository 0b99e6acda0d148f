package dev.loopkeeper.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The name of this machine, without asking the network. */
public final class HostName {
    private static final Path KNOWN = Path.of("/proc/sys/kernel/hostname");

    private HostName() {}

    /** Returns the host name of Linux, else {@code HOSTNAME} of this environment; empty if both are missing. */
    public static String of(Map<String, String> environment) {
        try {
            return Files.readString(KNOWN).strip();
        } catch (IOException unknown) {
            return environment.getOrDefault("HOSTNAME", "");
        }
    }
}
